import pulumi
import pulumi_clouddb as clouddb

service = clouddb.get_service(service_id="a1b2c3d4-0001-4a53-9c1e-000000000001")
pulumi.export("replicas", service.num_replicas)
