import { writeFileSync } from "node:fs";
import { join } from "node:path";
import MarkdownIt from "markdown-it";
import { previewsIn } from "../contract/report/support/preview";
import { renderReport } from "../contract/report/support/render";
import { expectOk, newStack, type StoredResource, simulated, typeOf } from "../engine/support/stack";
import { conclude } from "./support/conclude";
import { NAUGHTY } from "./support/naughty";

const texts = NAUGHTY.texts.filter((text) => text === text.trim() && text !== "");
/** Those of a report, without links, images or foreign ones. */
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
