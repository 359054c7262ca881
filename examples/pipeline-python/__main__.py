import pulumi
import pulumi_clouddb as clouddb

# Adopts a service and the pipe that loads orders into it, and manages the size of the service. The API cannot create
# pipes: create them in the console.
config = pulumi.Config()

warehouse = clouddb.Service(
    "warehouse",
    existing_service_id=config.require("serviceId"),
    ip_access_list=[{"source": "203.0.113.0/24", "description": "office"}],
)

# A separate resource for scaling: its changes cannot affect anything else of the service.
size = clouddb.ServiceScaling(
    "warehouse-size",
    service_id=warehouse.id,
    min_replica_memory_gb=16,
    max_replica_memory_gb=config.get_int("maxReplicaMemoryGb") or 64,
    num_replicas=3,
)

orders = clouddb.Pipe(
    "orders",
    service_id=warehouse.id,
    pipe_id=config.require("pipeId"),
    source={"kafka": {"credentials": {"username": "reader", "password": config.require_secret("kafkaPassword")}}},
    settings={"streaming_max_insert_wait_ms": 5000},
)

pulumi.export("replicas", size.num_replicas)
pulumi.export("state", orders.state)
