import { expectFailure, expectOk, restartWithKey, type Stack } from "../engine/support/stack";
import { follow } from "../programs/support/follow";
import { openTerminal } from "../programs/support/terminal";
import type { TestApi } from "./api";

/** Guides whose commands are those of every language. */

/** Pulumi rejects PULUMI_SKIP_CONFIRMATIONS for a command that asks nothing. */
export const ASKS_NOTHING = {
  "pulumi refresh --preview-only": "PULUMI_SKIP_CONFIRMATIONS=false pulumi refresh --preview-only",
};

/** Follows the guide on keys with a stack that has one service, whose API keeps its data and accepts `old-key`. */
export async function rotateKeys(api: TestApi, data: string, stack: Stack): Promise<void> {
  await expectOk(stack.up());
  stack.environment({ PULUMI_SKIP_CONFIRMATIONS: "true" });
  const terminal = openTerminal(stack, stack.folder, { ...ASKS_NOTHING, $NEW_KEY_SECRET: "new-key" });
  let refused = "";
  await follow("docs/guides/passwords-and-keys.md", async (block) => {
    if (block.text.includes("config set")) {
      // The old key in the configuration, as of the last `pulumi up`.
      await expectOk(stack.pulumi("config", "set", "--secret", "clouddb:keySecret", "old-key"));
      await expectOk(stack.up());
      await restartWithKey(api, data, "new-key");
      await expectOk(stack.pulumi("config", "set", "--secret", "clouddb:keySecret", "new-key"));
      refused = await expectFailure(stack.refresh());
      await expectOk(stack.refresh("--run-program"));
      await expectOk(stack.pulumi("config", "set", "--secret", "clouddb:keySecret", "old-key"));
    }
    return terminal.run(block);
  });
  expect(refused).toContain("returned 401");
  stack.environment({ CLOUDDB_KEY_SECRET: "new-key" });
  await expectOk(stack.refresh("--expect-no-changes"));
}

/** Follows the guide on drift with a program that declares one service with this number of replicas. */
export async function findDrift(api: TestApi, stack: Stack, declare: (numReplicas: number) => void): Promise<void> {
  declare(2);
  await expectOk(stack.up());
  stack.environment({ PULUMI_SKIP_CONFIRMATIONS: "true" });
  const terminal = openTerminal(stack, stack.folder, ASKS_NOTHING);
  const [service] = await api.services();
  const change = () => api.change("PATCH", `/${service?.id}/replicaScaling`, { numReplicas: 5, idleScaling: false });
  const replicas = async () => (await api.services()).map(({ numReplicas }) => numReplicas);
  const sent = async () => (await api.requests()).map(({ request }) => request);

  await change();
  const steps = [
    async (output: string) => {
      expect(output).toMatch(/numReplicas\s*: 2 => 5/);
      expect(output).not.toContain("idleScaling: true => false");
      expect(await sent()).toEqual(["GET /services/{id}"]);
      const preview = await expectOk(stack.pulumi("preview", "--refresh", "--diff"));
      expect(preview).toMatch(/numReplicas\s*: 2 => 5[\s\S]*numReplicas\s*: 5 => 2/);
      expect(await replicas()).toEqual([5]);
    },
    async () => {
      expect(await replicas()).toEqual([2]);
      await change();
      declare(5);
    },
    async () => {
      // The preview and the update read once each.
      expect(await sent()).toEqual(["GET /services/{id}", "GET /services/{id}"]);
      expect(await replicas()).toEqual([5]);
    },
  ];
  await follow("docs/guides/drift.md", async (block) => {
    const outcome = await terminal.run(block);
    await steps.shift()?.(outcome.output);
    return outcome;
  });
  expect(steps).toEqual([]);
}
