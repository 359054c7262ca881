import pulumi
import pulumi_clouddb as clouddb

endpoint_id = "vpce-0a1b2c3d4e5f60009"
organization = clouddb.Organization(
    "organization",
    private_endpoints=[{"id": endpoint_id, "description": "data team"}],
)
reports = clouddb.Service(
    "reports",
    private_endpoint_ids=[endpoint_id],
    opts=pulumi.ResourceOptions(depends_on=[organization]),
)
