import pulumi
import pulumi_clouddb as clouddb

analytics = clouddb.Service(
    "analytics",
    num_replicas=3,
    opts=pulumi.ResourceOptions(retain_on_delete=True),
)
