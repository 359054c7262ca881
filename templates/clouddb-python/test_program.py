"""The program with mocks: neither an engine nor the API takes part."""

import runpy
from pathlib import Path

import pulumi
import pytest

PROGRAM = Path(__file__).with_name("__main__.py")
SERVICE = "clouddb:index:Service"
CONFIG = {
    "provider": "aws",
    "region": "us-east-1",
    "minReplicaMemoryGb": "16",
    "maxReplicaMemoryGb": "64",
    "numReplicas": "3",
    "idleScaling": "false",
    "allowedNetwork": "198.51.100.0/24",
}


class Mocks(pulumi.runtime.Mocks):
    def __init__(self):
        self.services = []
        self.options = []

    def new_resource(self, args):
        if args.typ == SERVICE:
            self.services.append(args)
        return f"{args.name}-id", args.inputs

    def call(self, args):
        return {}

    def record_options(self, args):
        if args.type_ == SERVICE:
            self.options.append(args.opts)


@pytest.fixture(scope="module")
def declared():
    mocks = Mocks()
    pulumi.runtime.set_mocks(mocks, project="project", stack="dev")
    pulumi.runtime.set_all_config({f"project:{key}": value for key, value in CONFIG.items()})
    pulumi.runtime.register_stack_transformation(mocks.record_options)

    @pulumi.runtime.test
    def run():
        runpy.run_path(str(PROGRAM))

    # It returns once every resource is registered.
    run()
    return mocks


def test_there_is_one_service_and_it_is_protected(declared):
    assert [service.name for service in declared.services] == ["analytics"]
    assert declared.options[0].protect is True


def test_the_service_has_the_configured_size(declared):
    inputs = declared.services[0].inputs
    size = {key: inputs[key] for key in ("minReplicaMemoryGb", "maxReplicaMemoryGb", "numReplicas", "idleScaling")}
    assert size == {"minReplicaMemoryGb": 16, "maxReplicaMemoryGb": 64, "numReplicas": 3, "idleScaling": False}


def test_only_the_configured_network_may_connect(declared):
    assert declared.services[0].inputs["ipAccessList"] == [{"source": "198.51.100.0/24", "description": "office"}]
