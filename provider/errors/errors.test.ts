import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "../core/connect";
import { withoutIds } from "../core/redactor";
import { readSettings } from "../core/settings";
import { areas } from "./catalogue";
import { codeOf, message, textOf, withSentence } from "./index";

const provider = join(__dirname, "..");
const keys = Object.values(areas).flatMap(({ messages }) => Object.keys(messages));

function sources(): string {
  const names = readdirSync(provider, { recursive: true, encoding: "utf8" });
  const read = names.filter(
    (name) => /\.(ts|cjs)$/.test(name) && !/\.test\.ts$|^(errors|dist|native-plugin|node_modules)\//.test(name),
  );
  return read.map((name) => readFileSync(join(provider, name), "utf8")).join("\n");
}

test("the sources use each message of the catalogue", () => {
  const text = sources();
  // The advice on a failed request is found by the code of its error.
  const isUsed = (key: string) =>
    text.includes(`"${key}"`) || (key.endsWith(".advice") && text.includes(key.replace(".advice", "")));
  expect(keys.length).toBeGreaterThan(80);
  expect(keys.filter((key) => !isUsed(key))).toEqual([]);
});

test("each code stands at one place of the catalogue, in order", () => {
  const codes = Object.values(areas).flatMap(({ messages, explanations }) => {
    const used = [...new Set(Object.keys(messages).map((key) => key.split(".")[0]))];
    expect(used).toEqual(Object.keys(explanations));
    return used;
  });
  expect(codes).toEqual([...new Set(codes)].sort());
});

test("a message has its values and, at its end, its code", () => {
  const match = message("CDB1002.orSet", { argument: "organizationId", setting: "clouddb:organizationId" });
  expect(match).toBe("organizationId is missing: declare it, or set clouddb:organizationId. [CDB1002]");
  expect([codeOf(match), textOf(match)]).toEqual(["CDB1002", match.replace(" [CDB1002]", "")]);
  expect(withSentence(message("CDB1010.azure"), "More.")).toMatch(/another provider\. More\. \[CDB1010\]$/);
});

test("a value that looks like a placeholder is left alone", () => {
  expect(message("CDB1001.unknown", { argument: "{argument}" })).toContain("unknown argument {argument};");
});

test("a missing or misspelt value does not compile", () => {
  // @ts-expect-error
  expect(message("CDB1002.missing", {})).toContain("undefined");
  // @ts-expect-error
  expect(message("CDB1002.missing", { argumant: "name" })).toContain("undefined");
  // @ts-expect-error
  expect(message("CDB1002.missing")).toContain("undefined");
});

test("several mistakes in one error have one code, at its end", () => {
  const dependencies = { redact: (text: string) => text } as never;
  const failure = () =>
    connect(
      "management",
      readSettings(() => undefined, {}),
      dependencies,
    );
  expect(failure).toThrow(/^clouddb:baseUrl .*clouddb:keyId .*clouddb:keySecret [^[]*\. \[CDB2001\]$/);
  expect(failure).not.toThrow(/CDB.*CDB/);
});

test("an id that begins like a code leaves the code as it is", () => {
  const text = message("CDB1001.unknown", { argument: "nonsense" });
  expect(withoutIds(text, ["1001aaaa-0001-4a53-9c1e-000000000001"])).toBe(text);
});
