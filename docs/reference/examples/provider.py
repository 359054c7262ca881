import pulumi
import pulumi_clouddb as clouddb

config = pulumi.Config()
second_key_id = config.require("secondKeyId")
second_key_secret = config.require("secondKeySecret")
second_account = clouddb.Provider("second-account",
    key_id=second_key_id,
    key_secret=pulumi.Output.secret(second_key_secret),
    organization_id="5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01")
size = clouddb.ServiceScaling("size",
    service_id="a1b2c3d4-0001-4a53-9c1e-000000000001",
    num_replicas=3,
    opts = pulumi.ResourceOptions(provider=second_account))
