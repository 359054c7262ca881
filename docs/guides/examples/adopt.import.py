import pulumi
import pulumi_clouddb as clouddb

analytics = clouddb.Service("analytics",
    data_warehouse_id="0c75d4e7-ccc3-4937-a836-8b22887c67f8",
    has_transparent_data_encryption=False,
    idle_scaling=True,
    idle_timeout_minutes=15,
    ip_access_list=[
        {
            "description": "office",
            "source": "203.0.113.0/24",
        },
        {
            "description": "build server",
            "source": "198.51.100.7",
        },
    ],
    is_readonly=False,
    max_replica_memory_gb=64,
    min_replica_memory_gb=16,
    name="Analytics",
    num_replicas=3,
    organization_id="5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01",
    opts = pulumi.ResourceOptions(protect=True))
size = clouddb.ServiceScaling("size",
    idle_scaling=True,
    idle_timeout_minutes=15,
    max_replica_memory_gb=32,
    min_replica_memory_gb=8,
    num_replicas=2,
    organization_id="5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01",
    service_id="a1b2c3d4-0002-4a53-9c1e-000000000002",
    opts = pulumi.ResourceOptions(protect=True))
orders = clouddb.Pipe("orders",
    name="orders",
    organization_id="5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01",
    pipe_id="b1b2c3d4-0001-4a53-9c1e-000000000001",
    service_id=analytics.id,
    source={
        "kafka": {
            "iam_role": "arn:aws:iam::000000000000:role/ingest",
            "reverse_private_endpoint_ids": ["rpe-1"],
        },
    },
    opts = pulumi.ResourceOptions(protect=True))
