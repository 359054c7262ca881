"""What tests need of the simulator's admin API."""

import json
import urllib.request


class Simulator:
    def __init__(self, ready):
        self.ready = ready

    def admin(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        url = f"{self.ready['baseUrl']}/__admin/{path}"
        headers = {"Content-Type": "application/json"} if data else {}
        request = urllib.request.Request(url, data, headers, method=method)
        with urllib.request.urlopen(request) as response:
            return json.load(response)

    def inject(self, *faults):
        self.admin("PUT", "faults", {"faults": faults})

    def services(self):
        return self.admin("GET", "state")["organizations"][0]["services"]

    def requests(self):
        return self.admin("GET", "requests")["requests"]
