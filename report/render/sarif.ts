import { createHash } from "node:crypto";
import { posix } from "node:path";
import type { Analysis, ResultEntry } from "../json-report";
import type { ProjectPlace } from "../read/positions";
import { visibleText } from "./escape";
import { failureOf, placeName } from "./failure";

/** SARIF 2.1.0, as code scanning services read it: one run per stack, one result per violation. */

const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
const HOME = "https://github.com/pulumi-clouddb/pulumi-clouddb";
/** The pack whose policies have a section each in docs/policies.md. */
const PACK = "pulumi-clouddb-policies";
/** Others are not violations. */
const LEVELS = { failed: "error", warned: "warning", "not checked": "note", exempt: "note" } as const;

type Violation = ResultEntry & { readonly result: keyof typeof LEVELS };

export function renderSarif(analyses: readonly Analysis[], place: ProjectPlace): string {
  const runs = analyses.map((analysis) => runOf(analysis, place));
  return `${JSON.stringify({ $schema: SCHEMA, version: "2.1.0", runs }, undefined, 2)}\n`;
}

function runOf(analysis: Analysis, place: ProjectPlace) {
  const failure = failureOf(analysis);
  const seen = new Map<string, number>();
  return {
    tool: {
      driver: {
        name: "clouddb-report",
        informationUri: `${HOME}/blob/main/docs/report.md`,
        rules: rulesOf(analysis.results),
      },
    },
    // GitHub allows one run for each text before the last slash.
    automationDetails: { id: `${textOf(placeName(analysis))}/` },
    // GitHub discards the results of a run that was not successful: violations are a successful run.
    invocations: [
      {
        executionSuccessful: failure === undefined,
        ...(failure && {
          toolExecutionNotifications: failure.map((text) => ({ level: "error", message: messageOf(text) })),
        }),
      },
    ],
    results: analysis.results.filter(isViolation).map((result) => {
      const key = JSON.stringify([result.policy, result.pack, result.urn]);
      seen.set(key, (seen.get(key) ?? 0) + 1);
      return resultOf(result, place, `${key}${seen.get(key)}`);
    }),
    columnKind: "utf16CodeUnits",
  };
}

const isViolation = (result: ResultEntry): result is Violation => Object.hasOwn(LEVELS, result.result);

/** Every policy that ran, once; not every result has its description. */
function rulesOf(results: readonly ResultEntry[]) {
  const rules = new Map<string, object>();
  for (const { policy, pack, description } of [...results.filter((result) => result.description !== ""), ...results]) {
    const id = ruleIdOf({ policy, pack });
    const helpUri = pack === PACK ? `${HOME}/blob/main/docs/policies.md#${encodeURIComponent(id)}` : undefined;
    if (!rules.has(id)) rules.set(id, { id, shortDescription: messageOf(description || policy), helpUri });
  }
  return [...rules.values()];
}

/** Other packs may have policies of the same names. */
function ruleIdOf({ policy, pack }: Pick<ResultEntry, "policy" | "pack">): string {
  return textOf(pack === PACK ? policy : `${pack}/${policy}`);
}

function resultOf(result: Violation, place: ProjectPlace, key: string) {
  const { urn, message, exemption, position } = result;
  const uri = position?.file ?? posix.join(place.folder, place.file);
  return {
    ruleId: ruleIdOf(result),
    level: LEVELS[result.result],
    message: messageOf(message),
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: textOf(uri).split("/").map(encodeURIComponent).join("/"), uriBaseId: "%SRCROOT%" },
          region: { startLine: position?.line ?? 1, startColumn: position?.column },
        },
        ...(urn !== "" && { logicalLocations: [{ fullyQualifiedName: textOf(urn), kind: "resource" }] }),
      },
    ],
    // The name that GitHub looks for; it stays when lines move.
    partialFingerprints: { primaryLocationLineHash: createHash("sha256").update(key).digest("hex") },
    ...(exemption !== undefined && {
      suppressions: [{ kind: "external", status: "accepted", justification: textOf(exemption) }],
    }),
  };
}

/** Plain text: it cannot contain one of SARIF's links. */
function messageOf(text: string) {
  return { text: textOf(text).replaceAll("](", "] (") || "-" };
}

const textOf = (text: string): string => visibleText(text).trim();
