import pulumi_clouddb as clouddb

analytics = clouddb.Service(
    "analytics",
    min_replica_memory_gb=16,  # of each replica
    max_replica_memory_gb=64,
    num_replicas=3,
    idle_scaling=True,  # to zero while nobody uses it
    idle_timeout_minutes=15,
)
