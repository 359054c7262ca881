"""The program under test: it creates services and changes their size."""

import base64
import json
import time
import urllib.error
import urllib.request

LOCKED = 423


class ApiError(Exception):
    def __init__(self, status, message):
        super().__init__(f"{status} {message}")
        self.status = status


class Services:
    def __init__(self, base_url, organization_id, key_id, key_secret):
        self._url = f"{base_url}/v1/organizations/{organization_id}/services"
        key = base64.b64encode(f"{key_id}:{key_secret}".encode()).decode()
        self._headers = {"Authorization": f"Basic {key}", "Content-Type": "application/json"}

    def create(self, **body):
        """Never repeated: after a lost response, the service may exist already."""
        return self._send("POST", "", body)["service"]

    def scale(self, service_id, sleep=time.sleep, **body):
        """Waits while the service is locked, for example after its creation."""
        while True:
            try:
                return self._send("PATCH", f"/{service_id}/replicaScaling", body)
            except ApiError as error:
                if error.status != LOCKED:
                    raise
            sleep(10)

    def _send(self, method, path, body):
        data = json.dumps(body).encode()
        request = urllib.request.Request(self._url + path, data, self._headers, method=method)
        try:
            with urllib.request.urlopen(request) as response:
                return json.load(response)["result"]
        except urllib.error.HTTPError as error:
            raise ApiError(error.code, error.read().decode()) from error
