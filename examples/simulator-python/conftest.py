import json
import subprocess

import pytest
from services import Services
from simulator import Simulator


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
