import { isDeepStrictEqual } from "node:util";
import { isRecord } from "pulumi-clouddb-facts";
import type { Exemption } from "pulumi-clouddb-facts/exemptions";
import type { Warning } from "../json-report";
import { levelOf, type PolicySettings, type SettingsFiles } from "../read/settings";

/** The policy whose settings hold them. */
export const EXEMPTIONS = "exemptions";

/** The settings of exemptions; none while the policy is disabled. */
function settingsOf(settings: PolicySettings): Readonly<Record<string, unknown>> {
  const own = settings[EXEMPTIONS];
  return isRecord(own) && levelOf(settings, EXEMPTIONS) !== "disabled" ? own : {};
}

function exemptionsIn(settings: PolicySettings): Exemption[] {
  const { list } = settingsOf(settings);
  if (!Array.isArray(list) || list.length === 0) return [];
  return list.flatMap((entry) => facts().exemption.safeParse(entry).data ?? []);
}

/** Exemptions that the change adds or alters. */
export function newExemptions(files: SettingsFiles): Warning[] {
  return comparedExemptions(files).flatMap(({ entry, old, isNew }) => {
    if (!isNew) return [];
    const text =
      old === undefined
        ? `new exemption of ${describe(entry)}`
        : `exemption of ${describe(entry)}; before: ${detailsOf(old)}`;
    return [warning(entry, text)];
  });
}

/** Others that end soon, or are over: these no longer change with time. */
export function endingExemptions(files: SettingsFiles, now = new Date()) {
  return comparedExemptions(files).flatMap(({ entry, isNew }) => {
    const end = isNew ? undefined : facts().endOf(entry, now);
    return end === undefined
      ? []
      : [
          {
            ...warning(entry, `exemption of ${describe(entry)}; it ${end}`),
            isEnding: facts().daysLeft(entry, now) >= 0,
          },
        ];
  });
}

/** Each exemption with its former version; without earlier settings, none is new. */
function comparedExemptions({ before, after }: SettingsFiles) {
  const known = before && exemptionsIn(before);
  const entries = exemptionsIn(after);
  const isIn = (list: readonly Exemption[], entry: Exemption) => list.some((other) => isDeepStrictEqual(other, entry));
  return entries.map((entry) => {
    const isNew = known !== undefined && !isIn(known, entry);
    const old = known?.find((other) => keyOf(other) === keyOf(entry) && !isIn(entries, other));
    return { entry, old, isNew };
  });
}

/** The reasons why a change may not have these exemptions: they are invalid, or over when they are written. */
export function problemsOfExemptions(files: SettingsFiles, now = new Date()): string[] {
  const settings = settingsOf(files.after);
  if (settings.list === undefined) return [];
  return [
    ...facts()
      .exemptionErrors(settings, now)
      .map((error) => `${EXEMPTIONS}.${error}`),
    ...comparedExemptions(files)
      .filter(({ entry, isNew }) => isNew && facts().daysLeft(entry, now) < 0)
      .map(({ entry }) => `the exemption of ${describe(entry)} is over already`),
  ];
}

/** A table of all exemptions as Markdown, the one that ends first on top. */
export function exemptionTable(settings: PolicySettings, now = new Date()): string {
  const header = ["until", "days left", "policy", "resource", "stacks", "reason", "approved by"];
  const rows = exemptionsIn(settings)
    .sort((one, other) => (one.until < other.until ? -1 : 1))
    .map((entry) => {
      const { policy, resource, stack = "*", until, reason, approvedBy = "" } = entry;
      const days = facts().daysLeft(entry, now);
      return [until, days < 0 ? "over" : `${days}`, policy, resource, [stack].flat().join(", "), reason, approvedBy];
    });
  const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ");
  return [header, header.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |\n`).join("");
}

/** The policy and the details of an exemption in the message of an exempted violation. */
export function exemptedIn(message: string) {
  return facts().exemptedIn(message);
}

/** Loaded where there are exemptions: a validator takes longer to load than a small report takes to write. */
const facts = () => require("pulumi-clouddb-facts/exemptions") as typeof import("pulumi-clouddb-facts/exemptions");

const warning = ({ policy }: Exemption, reason: string): Warning => ({ urn: "", name: policy, reason });

const keyOf = ({ policy, resource, stack }: Exemption): string => JSON.stringify([policy, resource, stack]);

function describe(entry: Exemption): string {
  const place = entry.stack === undefined ? "" : ` in ${[entry.stack].flat().join(", ")}`;
  return `${entry.resource}${place} ${detailsOf(entry)}`;
}

function detailsOf({ until, reason, approvedBy }: Exemption): string {
  return `until ${until}: ${reason}${approvedBy === undefined ? "" : ` (approved by ${approvedBy})`}`;
}
