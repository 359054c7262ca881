import pulumi
import pulumi_clouddb as clouddb

analytics = clouddb.Service("analytics",
    provider="aws",
    region="us-east-1",
    min_replica_memory_gb=8,
    max_replica_memory_gb=32,
    num_replicas=3,
    ip_access_list=[{
        "source": "203.0.113.0/24",
        "description": "office",
    }],
    opts = pulumi.ResourceOptions(protect=True))
