import pulumi
import pulumi_clouddb as clouddb

reports = clouddb.Service(
    "reports",
    num_replicas=3,
    opts=pulumi.ResourceOptions(aliases=[pulumi.Alias(name="analytics")]),
)
