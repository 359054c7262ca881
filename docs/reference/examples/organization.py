import pulumi
import pulumi_clouddb as clouddb

organization_resource = clouddb.Organization("organization",
    name="Example organization",
    private_endpoints=[{
        "id": "vpce-0a1b2c3d4e5f60009",
        "description": "new network",
    }])
