import json
import subprocess
import urllib.request

import pytest
from services import Services


class Simulator:
    """A client of the simulator's admin API."""

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


@pytest.fixture(scope="session")
def running_simulator():
    """One process for all tests, on a free port. Under `npx -c pytest`, the command is that of node_modules."""
    with subprocess.Popen(["clouddb-simulator"], stdout=subprocess.PIPE, text=True) as process:
        # The first line comes when it is ready; an empty one means that it ended, after it said why.
        line = process.stdout.readline()
        assert line, "the simulator did not start"
        yield Simulator(json.loads(line))
        process.terminate()


@pytest.fixture
def simulator(running_simulator):
    """A simulator as it was after its start."""
    running_simulator.admin("POST", "reset")
    return running_simulator


@pytest.fixture
def services(simulator):
    ready = simulator.ready
    return Services(ready["baseUrl"], ready["organizationId"], ready["keyId"], ready["keySecret"])
