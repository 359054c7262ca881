import pulumi_clouddb as clouddb

analytics = clouddb.Service(
    "analytics",
    existing_service_id="a1b2c3d4-0001-4a53-9c1e-000000000001",
    num_replicas=3,
)
