import { z } from "zod";

/** How long before its end an exemption is reported as ending. */
export const DAYS_OF_WARNING = 14;
const DAY_MS = 86_400_000;

/** Stack names, in any case; `*` matches any characters. */
export const stackPatterns = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)], {
  error: "use a stack name such as prod, or a list of names; * matches any characters",
});

const sentence = (error: string) => z.string(error).trim().min(1, error);

/** One resource that one policy does not judge, for a time. */
export const exemption = z.strictObject({
  policy: sentence("name a policy"),
  resource: sentence("use the name or URN of a resource; * matches any characters"),
  stack: stackPatterns.optional(),
  reason: sentence("say why"),
  until: z.iso.date("use a date such as 2027-03-31"),
  approvedBy: sentence("use a name, or leave it out").optional(),
});

export type Exemption = z.output<typeof exemption>;

/** The days after today on which it applies; negative once it is over. */
export function daysLeft({ until }: Exemption, now: Date): number {
  const today = Date.parse(now.toISOString().slice(0, "2027-03-31".length));
  return (Date.parse(until) - today) / DAY_MS;
}

/** Its days as a sentence, if they are few. */
export function endOf(exempted: Exemption, now: Date): string | undefined {
  const days = daysLeft(exempted, now);
  if (days < 0) return `It ended on ${exempted.until}.`;
  if (days > DAYS_OF_WARNING) return undefined;
  return days === 0 ? "It ends today." : `It ends in ${days} day${days === 1 ? "" : "s"}.`;
}
