import pulumi
import pulumi_clouddb as clouddb

config = pulumi.Config()
staging = clouddb.Provider(
    "staging",
    base_url=config.require("stagingUrl"),
    key_id=config.require("stagingKeyId"),
    key_secret=config.require_secret("stagingKeySecret"),
)

trial = clouddb.Service(
    "trial",
    num_replicas=2,
    opts=pulumi.ResourceOptions(provider=staging),
)
found = clouddb.get_service_output(
    service_id=trial.id,
    opts=pulumi.InvokeOutputOptions(provider=staging),
)
pulumi.export("replicas", found.num_replicas)
