import pulumi
import pulumi_clouddb as clouddb

pipe = clouddb.get_pipe(service_id="a1b2c3d4-0001-4a53-9c1e-000000000001",
    pipe_id="b1b2c3d4-0001-4a53-9c1e-000000000001")
pulumi.export("state", pipe.state)
