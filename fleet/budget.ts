/** A stack's state, as far as its cost is concerned. */
interface Deployment {
  readonly resources?: readonly { readonly type: string }[];
}

/** Resources of pulumi-clouddb in a state, with Pulumi's dynamic provider and with the native plugin. */
const CLOUDDB_TYPE = /^(?:pulumi-nodejs:dynamic\/clouddb|clouddb:index):(\w+)$/;

/** The number of requests of a refresh: one for each resource, except organizations, which the API cannot read. */
export function requestsToRefresh({ resources = [] }: Deployment): number {
  const names = resources.map(({ type }) => CLOUDDB_TYPE.exec(type)?.[1]);
  return names.filter((name) => name !== undefined && name !== "Organization").length;
}

/** Those never checked first, then those checked longest ago. */
export function inOrderOfLastCheck(names: readonly string[], checked: Readonly<Record<string, string>>): string[] {
  const lastCheck = (name: string) => checked[name] ?? "";
  return [...names].sort((left, right) => lastCheck(left).localeCompare(lastCheck(right)) || left.localeCompare(right));
}

export type Decision = "fits" | "later" | "never fits";

/** Requests that may be sent. After the first stack that has to wait, all later ones wait, so that it is next. */
export function createBudget(total: number) {
  let left = total;
  let isUsedUp = false;
  return {
    isUsedUp: () => isUsedUp,
    take(requests: number): Decision {
      if (requests > total) return "never fits";
      if (isUsedUp || requests > left) {
        isUsedUp = true;
        return "later";
      }
      left -= requests;
      return "fits";
    },
  };
}
