import pulumi
import pulumi_clouddb as clouddb

shared = clouddb.Service.get("shared", "a1b2c3d4-0001-4a53-9c1e-000000000001")
pulumi.export("endpoints", shared.service_endpoints)
