import { isRecord } from "pulumi-clouddb-facts";
import type { Exemption } from "pulumi-clouddb-facts/exemptions";
import type { Warning } from "../json-report";
import type { PolicySettings, SettingsFiles } from "../read/settings";

/** The policy whose settings hold them. */
export const EXEMPTIONS = "exemptions";

/** The valid exemptions of a settings file; the pack refuses the others. */
export function exemptionsIn(settings: PolicySettings): Exemption[] {
  const own = settings[EXEMPTIONS];
  const list = isRecord(own) && Array.isArray(own.list) ? own.list : [];
  if (list.length === 0) return [];
  return list.flatMap((entry) => facts().exemption.safeParse(entry).data ?? []);
}

/** Exemptions that the change adds or alters. */
export function newExemptions(files: SettingsFiles): Warning[] {
  return comparedExemptions(files).flatMap(({ entry, old, isNew }) => {
    if (!isNew) return [];
    const was = old === undefined ? "new " : "";
    const before = old === undefined ? "" : `; before: until ${old.until}: ${old.reason}`;
    return [warning(entry, `${was}exemption of ${describe(entry)}${before}`)];
  });
}

/** Others that end soon, or are over. */
export function endingExemptions(files: SettingsFiles, now = new Date()): Warning[] {
  return comparedExemptions(files).flatMap(({ entry, isNew }) => {
    const end = isNew ? undefined : facts().endOf(entry, now);
    return end === undefined ? [] : [warning(entry, `exemption of ${describe(entry)}. ${end}`)];
  });
}

/** Each exemption with what it was before; without earlier settings, none is new. */
function comparedExemptions({ before, after }: SettingsFiles) {
  const known = before && exemptionsIn(before);
  return exemptionsIn(after).map((entry) => {
    const old = known?.find((other) => keyOf(other) === keyOf(entry));
    return { entry, old, isNew: known !== undefined && JSON.stringify(old) !== JSON.stringify(entry) };
  });
}

/** What a change may not add: an exemption whose last day has passed when it is written. */
export function problemsOfExemptions(files: SettingsFiles, now = new Date()): string[] {
  return comparedExemptions(files)
    .filter(({ entry, isNew }) => isNew && facts().daysLeft(entry, now) < 0)
    .map(({ entry }) => `the exemption of ${describe(entry)} is over already`);
}

/** Cells for a table of all exemptions, the one that ends first on top. */
export function exemptionRows(settings: PolicySettings, now = new Date()): string[][] {
  const inOrder = exemptionsIn(settings).sort((one, other) => (one.until < other.until ? -1 : 1));
  return inOrder.map((entry) => {
    const { policy, resource, stack = "*", until, reason, approvedBy = "" } = entry;
    const days = facts().daysLeft(entry, now);
    return [until, days < 0 ? "over" : `${days}`, policy, resource, [stack].flat().join(", "), reason, approvedBy];
  });
}

/** Loaded where there are exemptions: a validator takes longer to load than a small report takes to write. */
const facts = () => require("pulumi-clouddb-facts/exemptions") as typeof import("pulumi-clouddb-facts/exemptions");

const warning = ({ policy }: Exemption, reason: string): Warning => ({ urn: "", name: policy, reason });

const keyOf = ({ policy, resource, stack }: Exemption): string => JSON.stringify([policy, resource, stack]);

function describe({ resource, stack, until, reason, approvedBy }: Exemption): string {
  const place = stack === undefined ? "" : ` in ${[stack].flat().join(", ")}`;
  const approval = approvedBy === undefined ? "" : ` (approved by ${approvedBy})`;
  return `${resource}${place} until ${until}: ${reason}${approval}`;
}
