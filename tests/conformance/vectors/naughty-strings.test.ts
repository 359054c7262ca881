import type { Resource } from "../../../provider/core/resource";
import { organization } from "../../../provider/resources/organization/organization";
import { service } from "../../../provider/resources/service/service";
import { type RunningSimulator, startSimulator } from "../../../simulator/index";
import { fakeClock, startProcess } from "../../contract/support";
import type { Handlers, Properties } from "../../support/adapters/handlers";
import { createTestApi, type TestApi } from "../../support/api";
import { conclude } from "../support/conclude";
import { NAUGHTY } from "../support/naughty";

let simulator: RunningSimulator;
let api: TestApi;
beforeAll(async () => {
  simulator = await startSimulator();
  api = createTestApi(simulator);
});
afterAll(() => simulator.close());

/** Creates and reads a service; returns the refusal or the difference, if any. */
async function problemOf(handlers: Handlers, args: Properties): Promise<string | undefined> {
  const { inputs, failures } = await handlers.check({}, args);
  if (failures.length > 0) return failures.map(({ property, reason }) => `${property}: ${reason}`).join(", ");
  const { id, outs } = await handlers.create(inputs);
  const read = await handlers.read(id, outs);
  const differences = [outs, read.props ?? {}].flatMap((state) =>
    Object.entries(args).filter(([name, value]) => JSON.stringify(state[name]) !== JSON.stringify(value)),
  );
  const { changes } = await handlers.diff(id, read.props ?? {}, inputs);
  return changes || differences.length > 0 ? `was not stored as it is: ${JSON.stringify(read)}` : undefined;
}

const isTrimmed = (text: string) => text === text.trim();

test.each<[string, Resource, (text: string) => Properties, (text: string) => boolean | Promise<boolean>]>([
  ["the name of an organization", organization, (name) => ({ name }), (text) => isTrimmed(text) && text !== ""],
  [
    "the description of an access list entry",
    service,
    (description) => ({ ipAccessList: [{ source: "203.0.113.7/32", description }] }),
    isTrimmed,
  ],
  [
    "the name of a service",
    service,
    (name) => ({ name }),
    (name) =>
      isTrimmed(name) &&
      api.change("POST", "", { name }).then(
        () => true,
        () => false,
      ),
  ],
])("each is %s, or refused", async (place, type, argsWith, isAccepted) => {
  const failures: string[] = [];
  for (const text of NAUGHTY.texts) {
    const { handlersFor } = startProcess(simulator, {}, fakeClock());
    const problem = await problemOf(handlersFor(type), argsWith(text)).catch(String);
    const isAsExpected = (await isAccepted(text)) ? problem === undefined : /\[CDB\d{4}\]$/.test(problem ?? "");
    if (!isAsExpected) failures.push(`${JSON.stringify(text)}: ${problem}`);
  }
  conclude({ ...NAUGHTY, source: `${NAUGHTY.source}: ${place}` }, NAUGHTY.texts.length, failures);
});

test("each is the name of a resource, and its service gets a name that the API accepts", async () => {
  const failures: string[] = [];
  for (const text of NAUGHTY.texts.filter((text) => text !== "")) {
    const { handlersFor } = startProcess(simulator, {}, fakeClock());
    const problem = await problemOf(handlersFor(service, text), {}).catch(String);
    if (problem !== undefined) failures.push(`${JSON.stringify(text)}: ${problem}`);
  }
  conclude({ ...NAUGHTY, source: `${NAUGHTY.source}: the name of a resource` }, NAUGHTY.texts.length - 1, failures);
});
