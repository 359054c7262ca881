import pulumi
import pulumi_clouddb as clouddb

config = pulumi.Config()

# Protected by default, because the API cannot delete services. To stop managing it, set `retain_on_delete=True` in its
# options and run `pulumi up`.
analytics = clouddb.Service(
    "analytics",
    provider=config.require("provider"),
    region=config.require("region"),
    min_replica_memory_gb=config.require_int("minReplicaMemoryGb"),
    max_replica_memory_gb=config.require_int("maxReplicaMemoryGb"),
    num_replicas=config.require_int("numReplicas"),
    idle_scaling=config.require_bool("idleScaling"),
    ip_access_list=[{"source": config.require("allowedNetwork"), "description": "office"}],
)

pulumi.export("serviceId", analytics.id)
pulumi.export("endpoints", analytics.service_endpoints)
# A secret: `pulumi stack output password --show-secrets`.
pulumi.export("password", analytics.password)
