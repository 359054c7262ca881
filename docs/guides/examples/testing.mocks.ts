import * as pulumi from "@pulumi/pulumi";
import * as clouddb from "pulumi-clouddb";

pulumi.runtime.setMocks({
  newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs }),
  call: ({ token, inputs }) => (token === "clouddb:index:getService" ? { id: inputs.serviceId, numReplicas: 3 } : {}),
});

// Stands for your program.
function declare() {
  const analytics = new clouddb.Service("analytics", { region: "us-east-1" });
  const found = clouddb.getServiceOutput({ serviceId: analytics.id });
  return pulumi.all([analytics.region, found.numReplicas]);
}

test("the service is in us-east-1 and has three replicas", async () => {
  const values = await new Promise((resolve) => declare().apply(resolve));
  expect(values).toEqual(["us-east-1", 3]);
});
