import pulumi
import pulumi_clouddb as clouddb

reporting = clouddb.ServiceAccess("reporting",
    service_id="a1b2c3d4-0001-4a53-9c1e-000000000001",
    ip_access_list=[{
        "source": "192.0.2.0/28",
        "description": "reporting jobs",
    }])
