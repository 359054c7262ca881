import unittest

import pulumi
import pulumi_clouddb as clouddb


class Mocks(pulumi.runtime.Mocks):
    def new_resource(self, args):
        return f"{args.name}-id", args.inputs

    def call(self, args):
        if args.token == "clouddb:index:getService":
            return {"id": args.args["serviceId"], "numReplicas": 3}
        return {}


pulumi.runtime.set_mocks(Mocks())


# Stands for your program.
def declare():
    analytics = clouddb.Service("analytics", region="us-east-1")
    found = clouddb.get_service_output(service_id=analytics.id)
    return pulumi.Output.all(analytics.region, found.num_replicas)


class TestProgram(unittest.TestCase):
    @pulumi.runtime.test
    def test_region_and_replicas(self):
        return declare().apply(lambda values: self.assertEqual(values, ["us-east-1", 3]))
