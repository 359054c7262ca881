import { runName } from "../analyze/gates";
import type { Analysis, ResultEntry } from "../json-report";
import { nameOf } from "../preview";
import { visibleText } from "./escape";
import { failureOf, placeName } from "./failure";

/** JUnit XML, as GitLab, Azure DevOps and Jenkins read it: one suite per stack, one case per policy and resource. */

/** Worst first. */
const ORDER: readonly ResultEntry["result"][] = ["failed", "not checked", "exempt", "warned", "remediated", "passed"];

export function renderJunit(analyses: readonly Analysis[]): string {
  const suites = analyses.map((analysis) => suiteOf(analysis, analyses.length === 1));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join("")}</testsuites>\n`;
}

function suiteOf(analysis: Analysis, isAlone: boolean): string {
  const failure = failureOf(analysis);
  const cases = casesOf(analysis.results);
  const count = (...results: ResultEntry["result"][]) => cases.filter(({ result }) => results.includes(result)).length;
  const attributes = {
    name: placeName(analysis),
    tests: `${cases.length + (failure ? 1 : 0)}`,
    failures: `${count("failed")}`,
    errors: failure ? "1" : "0",
    skipped: `${count("not checked", "exempt")}`,
  };
  const error = failure && element("error", { message: failure[0] ?? "" }, failure.join("\n"));
  // Servers tell cases of several suites apart only by these.
  const classOf = (pack: string) => (isAlone ? pack : `${attributes.name}: ${pack}`);
  const texts = [
    ...(error === undefined ? [] : [caseElement(runName(analysis), classOf("pulumi"), error)]),
    ...cases.map(({ name, pack, result, message }) => caseElement(name, classOf(pack), outcomeOf(result, message))),
  ];
  return `<testsuite${attributesOf(attributes)}>\n${texts.join("")}</testsuite>\n`;
}

/** `Service` of `…::clouddb:index:Service::main`. */
function typeNameOf(urn: string): string {
  return urn.split("::")[2]?.split(":").at(-1) ?? "";
}

/** The findings of a policy about a resource, in one case: servers tell cases apart by their names. */
function casesOf(results: readonly ResultEntry[]) {
  const groups = new Map<string, ResultEntry[]>();
  for (const result of results) {
    const key = JSON.stringify([result.pack, result.policy, result.urn]);
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  return [...groups.values()].map((group) => {
    const worst = Math.min(...group.map(({ result }) => ORDER.indexOf(result)));
    const [{ policy, pack, urn } = { policy: "", pack: "", urn: "" }] = group;
    const name = urn === "" ? policy : `${policy}: ${typeNameOf(urn)} ${nameOf(urn)}`;
    return { name, pack, result: ORDER[worst] ?? "passed", message: group.map(({ message }) => message).join("\n") };
  });
}

function outcomeOf(result: ResultEntry["result"], message: string): string {
  if (result === "failed") return element("failure", { message: message.split("\n")[0] ?? "" }, message);
  if (result === "not checked" || result === "exempt") return element("skipped", {}, message);
  return message === "" ? "" : element("system-out", {}, message);
}

function caseElement(name: string, classname: string, content: string): string {
  return `<testcase${attributesOf({ name, classname })}>${content}</testcase>\n`;
}

function element(name: string, attributes: Readonly<Record<string, string>>, text: string): string {
  return `<${name}${attributesOf(attributes)}>${text.split("\n").map(escapeXml).join("\n")}</${name}>`;
}

function attributesOf(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
    .join("");
}

/** XML has no characters for U+FFFE and U+FFFF, not even escaped. */
function escapeXml(text: string): string {
  return visibleText(text)
    .replace(/[\ufffe\uffff]/g, "\ufffd")
    .replace(/[&<>"']/g, (match) => `&#${match.charCodeAt(0)};`);
}
