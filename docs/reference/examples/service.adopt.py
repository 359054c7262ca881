import pulumi
import pulumi_clouddb as clouddb

reports = clouddb.Service("reports",
    existing_service_id="a1b2c3d4-0001-4a53-9c1e-000000000001",
    ip_access_list=[{
        "source": "203.0.113.0/24",
        "description": "office",
    }],
    opts = pulumi.ResourceOptions(protect=True))
