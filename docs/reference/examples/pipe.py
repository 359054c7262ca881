import pulumi
import pulumi_clouddb as clouddb

config = pulumi.Config()
kafka = config.require("kafka")
orders = clouddb.Pipe("orders",
    service_id="a1b2c3d4-0001-4a53-9c1e-000000000001",
    pipe_id="b1b2c3d4-0001-4a53-9c1e-000000000001",
    source={
        "kafka": {
            "credentials": {
                "username": "reader",
                "password": pulumi.Output.secret(kafka),
            },
        },
    },
    settings={
        "streaming_max_insert_wait_ms": 5000,
    })
