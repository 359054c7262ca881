// The program with mocks: neither an engine nor the API takes part.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import * as pulumi from "@pulumi/pulumi";

const services: pulumi.runtime.MockResourceArgs[] = [];
const options: pulumi.ResourceOptions[] = [];

before(async () => {
  await pulumi.runtime.setMocks(
    {
      newResource(args) {
        if (args.type.endsWith(":Service")) services.push(args);
        return {
          id: `${args.name}-id`,
          state: { ...args.inputs, serviceEndpoints: [], password: "mocked" },
        };
      },
      call: () => ({}),
    },
    "project",
    "dev",
  );
  pulumi.runtime.setAllConfig({
    "project:provider": "aws",
    "project:region": "us-east-1",
    "project:minReplicaMemoryGb": "16",
    "project:maxReplicaMemoryGb": "64",
    "project:numReplicas": "3",
    "project:idleScaling": "false",
    "project:allowedNetwork": "198.51.100.0/24",
  });
  const outputs = await pulumi.runtime.runInPulumiStack(() => {
    pulumi.runtime.registerStackTransformation(({ type, opts }) => {
      if (type.endsWith(":Service")) options.push(opts);
      return undefined;
    });
    return import("./index");
  });
  // The id is known once the service is registered.
  await new Promise((resolve) => pulumi.output(outputs?.serviceId).apply(resolve));
});

test("the program has one service, which is protected", () => {
  assert.deepEqual(
    services.map(({ name }) => name),
    ["analytics"],
  );
  assert.equal(options[0]?.protect, true);
});

test("the service has the configured size", () => {
  const { minReplicaMemoryGb, maxReplicaMemoryGb, numReplicas, idleScaling } =
    services[0]?.inputs ?? {};
  assert.deepEqual(
    [minReplicaMemoryGb, maxReplicaMemoryGb, numReplicas, idleScaling],
    [16, 64, 3, false],
  );
});

test("only the configured network may connect", () => {
  assert.deepEqual(services[0]?.inputs.ipAccessList, [
    { source: "198.51.100.0/24", description: "office" },
  ]);
});
