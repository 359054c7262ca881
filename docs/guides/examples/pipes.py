import pulumi
import pulumi_clouddb as clouddb

config = pulumi.Config()
password = config.require_secret("kafkaPassword")
orders = clouddb.Pipe(
    "orders",
    service_id=config.require("serviceId"),
    pipe_id=config.require("pipeId"),
    source={"kafka": {"credentials": {"username": "reader", "password": password}}},
    settings={"streaming_max_insert_wait_ms": 5000},
)
pulumi.export("state", orders.state)
