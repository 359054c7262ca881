import pulumi
import pulumi_clouddb as clouddb

config = pulumi.Config()

# Protected by default, because the API cannot delete services. To stop managing it, set `retain_on_delete=True` in its
# options and run `pulumi up`.
analytics = clouddb.Service(
    "analytics",
    provider="aws",
    region="us-east-1",
    min_replica_memory_gb=8,
    max_replica_memory_gb=32,
    num_replicas=config.get_int("numReplicas") or 2,
    ip_access_list=[{"source": "203.0.113.0/24", "description": "office"}],
)

pulumi.export("serviceId", analytics.id)
pulumi.export("endpoints", analytics.service_endpoints)
# A secret: `pulumi stack output password --show-secrets`.
pulumi.export("password", analytics.password)
