import pytest
from services import ApiError


def test_sends_one_request_for_each_change(simulator, services):
    service = services.create(name="orders", region="us-east-1")
    services.scale(service["id"], numReplicas=5)
    assert [(request["method"], request["body"], request["status"]) for request in simulator.requests()] == [
        ("POST", {"name": "orders", "region": "us-east-1"}, 200),
        ("PATCH", {"numReplicas": 5}, 200),
    ]


def test_waits_until_a_service_can_be_changed(simulator, services):
    service = services.create(name="orders")
    simulator.inject({"method": "PATCH", "times": 3, "effect": {"kind": "status", "status": 423}})
    waits = []
    scaled = services.scale(service["id"], sleep=waits.append, numReplicas=5)
    assert scaled["numReplicas"] == 5
    assert waits == [10, 10, 10]
    statuses = [request["status"] for request in simulator.requests() if request["method"] == "PATCH"]
    assert statuses == [423, 423, 423, 200]


def test_does_not_create_a_service_twice_after_a_lost_response(simulator, services):
    simulator.inject({"method": "POST", "effect": {"kind": "reset", "when": "after"}})
    with pytest.raises(OSError):
        services.create(name="orders")
    assert [service["name"] for service in simulator.services()] == ["orders"]


def test_reports_what_the_api_refuses(services):
    with pytest.raises(ApiError, match="numReplicas"):
        services.create(name="orders", numReplicas=99)
