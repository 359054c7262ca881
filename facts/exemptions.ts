import { z } from "zod";

/** The policies of pulumi-clouddb-policies that a resource can be exempted from. */
export const POLICY_NAMES = [
  "memory-within-bounds",
  "replicas-within-bounds",
  "capacity-budget",
  "one-owner-for-scaling",
  "one-owner-for-access",
  "no-open-access",
  "access-list-required",
  "access-entries-described",
  "production-is-protected",
  "production-is-replicated",
  "idle-saves-money",
  "encryption-required",
  "regions-allowed",
  "no-deprecated-arguments",
  "names-follow-convention",
  "pipe-settings-within-bounds",
] as const;

/** The description of the policy that reports exempted violations: other packs may have one of its name. */
export const EXEMPTIONS_DESCRIPTION = "Exempted violations are in sight, and exemptions end.";

/** The default of the setting `maxDays`: the days from today to the latest end of an exemption. */
export const MOST_DAYS = 180;
/** The largest value of that setting. */
export const LONGEST_DAYS = 3650;
/** The last days of an exemption, in which it is reported as ending. */
const DAYS_OF_WARNING = 14;
const DAY_MS = 86_400_000;

/** Stack names, in any case; `*` matches any characters. */
export const stackPatterns = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)], {
  error: "use a stack name such as prod, or a list of names; * matches any characters",
});

const sentence = (error: string) => z.string(error).trim().min(1, error);

/** One resource that one policy does not judge, for a time. */
export const exemption = z.strictObject({
  policy: z.enum(POLICY_NAMES, `use one of ${POLICY_NAMES.join(", ")}`),
  resource: sentence("use the name or URN of a resource; * matches any characters"),
  stack: stackPatterns.optional(),
  reason: sentence("say why"),
  until: z.iso.date("use a date such as 2027-03-31"),
  approvedBy: sentence("use a name, or leave it out").optional(),
});

export type Exemption = z.output<typeof exemption>;

/** The errors in the list of the policy's settings, each with its path. */
export function exemptionErrors({ list = [], maxDays }: Readonly<Record<string, unknown>>, now: Date): string[] {
  if (!Array.isArray(list)) return ["list: use a list of exemptions"];
  const days = typeof maxDays === "number" && maxDays <= LONGEST_DAYS ? maxDays : MOST_DAYS;
  const last = dateOf(now.getTime() + days * DAY_MS);
  return list.flatMap((entry, index) => {
    const { error } = exemption.safeParse(entry);
    const until: unknown = entry?.until;
    const isLate = exemption.shape.until.safeParse(until).success && `${until}` > last;
    return [
      ...(error?.issues ?? []).map((issue) => {
        const path = ["list", index, ...issue.path].join(".");
        if (issue.code === "unrecognized_keys") return `${path} has no setting ${issue.keys.join(", ")}`;
        return `${path}: ${issue.path.length === 0 ? "use an object with policy, resource, reason and until" : issue.message}`;
      }),
      ...(isLate ? [`list.${index}.until: ${until} is more than ${days} days ahead; use ${last} or earlier`] : []),
    ];
  });
}

/** The days after today on which it applies; negative once it is over. */
export function daysLeft({ until }: Exemption, now: Date): number {
  return (Date.parse(until) - Date.parse(dateOf(now.getTime()))) / DAY_MS;
}

/** When it ends, as a verb, if that is soon or past. */
export function endOf(exempted: Exemption, now: Date): string | undefined {
  const days = daysLeft(exempted, now);
  if (days < 0) return `ended on ${exempted.until}`;
  if (days > DAYS_OF_WARNING) return undefined;
  return days === 0 ? "ends today" : `ends in ${days} day${days === 1 ? "" : "s"}`;
}

/** An exempted violation, with the reason why it is exempted, and how long it is if its end is near. */
export function describeExempted(exempted: Exemption, message: string, now = new Date()): string {
  const { policy, until, reason, approvedBy } = exempted;
  const approval = approvedBy === undefined ? "" : `; approved by ${approvedBy}`;
  const end = endOf(exempted, now);
  const warning = end === undefined ? "" : ` The exemption ${end}.`;
  return `exempted from ${policy} until ${until} (${reason}${approval}): ${message}${warning}`;
}

/** Finds the exemption in such a description, in the message of the policy that reports it. */
export function exemptedIn(text: string): { readonly policy: string; readonly exemption: string } | undefined {
  if (!text.startsWith(EXEMPTIONS_DESCRIPTION)) return undefined;
  const [, policy, exemption] = /\bexempted from ([\w-]+) (until [\d-]+ \(.*?\)): /s.exec(text) ?? [];
  return policy === undefined || exemption === undefined ? undefined : { policy, exemption };
}

/** The day in UTC. */
function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, "2027-03-31".length);
}
