import { writeFileSync } from "node:fs";
import { join } from "node:path";
import MarkdownIt from "markdown-it";
import type { Resource } from "../../provider/core/resource";
import { organization } from "../../provider/resources/organization/organization";
import { service } from "../../provider/resources/service/service";
import { previewsIn } from "../contract/report/support/preview";
import { renderReport } from "../contract/report/support/render";
import { fakeClock, startProcess } from "../contract/support";
import { expectOk, newStack, type StoredResource, simulated, typeOf } from "../engine/support/stack";
import type { Handlers, Properties } from "../support/adapters/handlers";
import type { TestApi } from "../support/api";
import { conclude } from "./support/conclude";
import { NAUGHTY } from "./support/report";

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

let api: TestApi;
beforeAll(async () => {
  api = await simulated();
});

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
    const { handlersFor } = startProcess(api, {}, fakeClock());
    const problem = await problemOf(handlersFor(type), argsWith(text)).catch(String);
    const isAsExpected = (await isAccepted(text)) ? problem === undefined : /\[CDB\d{4}\]$/.test(problem ?? "");
    if (!isAsExpected) failures.push(`${JSON.stringify(text)}: ${problem}`);
  }
  conclude({ ...NAUGHTY, source: `${NAUGHTY.source}: ${place}` }, NAUGHTY.texts.length, failures);
});

test("each is the name of a resource, and its service gets a name that the API accepts", async () => {
  const failures: string[] = [];
  for (const text of NAUGHTY.texts.filter((text) => text !== "")) {
    const { handlersFor } = startProcess(api, {}, fakeClock());
    const problem = await problemOf(handlersFor(service, text), {}).catch(String);
    if (problem !== undefined) failures.push(`${JSON.stringify(text)}: ${problem}`);
  }
  conclude({ ...NAUGHTY, source: `${NAUGHTY.source}: the name of a resource` }, NAUGHTY.texts.length - 1, failures);
});

const texts = NAUGHTY.texts.filter((text) => text === text.trim() && text !== "");
/** The elements of a report: neither links nor images, and none of the texts. */
const ELEMENTS = ["code", "details", "h3", "h4", "li", "p", "strong", "summary", "ul"].map((name) => `<${name}>`);

const program = (source: string) => `
  for (const text of require("./texts.json")) {
    new clouddb.Service(text, { name: "a", ipAccessList: [{ source: "${source}", description: text }] });
  }
  exports.texts = Object.fromEntries(require("./texts.json").map((text) => [text, text]));
`;

test("all are names of resources, descriptions and outputs of one stack, and come back from server and state", async () => {
  const api = await simulated();
  const stack = await newStack(api, program("203.0.113.0/24"));
  writeFileSync(join(stack.folder, "texts.json"), JSON.stringify(texts));
  await expectOk(stack.up());
  await expectOk(stack.refresh("--expect-no-changes"));
  await expectOk(stack.preview("--expect-no-changes"));
  const described = ({ ipAccessList }: Record<string, unknown> = {}) =>
    (ipAccessList as readonly { description: string }[]).map(({ description }) => description);
  const onServer = (await api.services()).flatMap(described);
  const { deployment } = JSON.parse(await expectOk(stack.pulumi("stack", "export")));
  const resources: StoredResource[] = deployment.resources;
  const services = resources.filter(({ type }) => type === typeOf("Service"));
  const stored = services.flatMap(({ outputs }) => described(outputs));
  const names = services.map(({ urn }) => urn.split("::").slice(3).join("::"));
  const outputs = Object.values((resources[0]?.outputs?.texts ?? {}) as object);

  stack.program(program("203.0.113.0/25"));
  stack.environment({ PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" });
  const events = (await stack.pulumi("preview", "--json")).output;
  const report = renderReport(await previewsIn(events), "markdown", { maxBytes: 10_000_000 });
  const html = new MarkdownIt({ html: true }).render(report);
  expect(html).toContain(`${texts.length} to update`);
  expect([...new Set(html.match(/<\w[^>]*>/g))].sort()).toEqual(ELEMENTS);

  const failures = texts.flatMap((text) =>
    Object.entries({ onServer, stored, names, outputs }).flatMap(([place, all]) =>
      all.includes(text) ? [] : `${JSON.stringify(text)} is not among the ${place}`,
    ),
  );
  conclude({ ...NAUGHTY, source: `${NAUGHTY.source}: a stack on the real engine` }, texts.length, failures);
});
