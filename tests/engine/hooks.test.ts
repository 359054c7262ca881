import { pulumi } from "../../versions.json";
import { expectOk, newStack, simulated } from "./support/stack";

/** Resource hooks that make the engine repeat an operation. */

const { CLOUDDB_TEST_ENGINE: cli, CLOUDDB_TEST_SDK: sdk } = process.env;

// Older CLIs and SDKs do not have resource hooks.
(cli === pulumi.newestCli && sdk !== pulumi.oldest ? test : test.skip)(
  "a hook that repeats a creation makes one service, also without a journal",
  async () => {
    const api = await simulated();
    const stack = await newStack(
      api,
      `const onError = [new pulumi.ErrorHook("again", () => true)];
     const privateEndpointIds = ["vpce-0a1b2c3d4e5f60001"];
     new clouddb.Service("db", { region: "us-east-1", privateEndpointIds }, { hooks: { onError } });`,
    );
    stack.environment({ CLOUDDB_JOURNAL: "off" });
    await api.faults({ method: "PATCH", times: 1, effect: { kind: "status", status: 403 } });
    await expectOk(stack.up());
    const [service, ...others] = await api.services();
    expect(others).toEqual([]);
    expect((await stack.resources()).find(({ type }) => type.endsWith("Service"))).toMatchObject({
      id: service?.id,
      outputs: { password: { ciphertext: expect.any(String) } },
    });
  },
);
