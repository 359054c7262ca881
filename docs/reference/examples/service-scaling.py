import pulumi
import pulumi_clouddb as clouddb

size = clouddb.ServiceScaling("size",
    service_id="a1b2c3d4-0001-4a53-9c1e-000000000001",
    max_replica_memory_gb=128,
    num_replicas=4)
