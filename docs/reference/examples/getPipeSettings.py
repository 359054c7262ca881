import pulumi
import pulumi_clouddb as clouddb

settings = clouddb.get_pipe_settings(service_id="a1b2c3d4-0001-4a53-9c1e-000000000001",
    pipe_id="b1b2c3d4-0001-4a53-9c1e-000000000001")
pulumi.export("threads", settings.engine_max_threads)
