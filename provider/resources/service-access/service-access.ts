import { networkOf } from "pulumi-clouddb-facts";
import { z } from "zod";
import { entries } from "../../core/lists/entries";
import { withoutStack, withStack } from "../../core/lists/plan";
import { idField, organizationField } from "../../core/object/ids";
import { defineResource } from "../../core/object/resource";
import { coded } from "../../errors";
import {
  entriesOf,
  isRecord,
  type ListRules,
  listOf,
  type Properties,
  type Rule,
  repetitions,
  settable,
  text,
  UNKNOWN,
} from "../../fields";
import {
  accessList,
  accessListRules,
  noBareWildcard,
  privateEndpointRules,
} from "../service/fields";

const LISTS = ["ipAccessList", "privateEndpointIds"] as const;

/** The rules of a Service's complete lists, for added entries. */
const accessRules: ListRules = { ...accessListRules, unmanaged: "keep" };
const endpointRules: ListRules = { ...privateEndpointRules, unmanaged: "keep" };

const someList: Rule = {
  fields: LISTS,
  description:
    "At least one of ipAccessList and privateEndpointIds must be declared; it may be empty.",
  test: (values) =>
    LISTS.every((name) => values[name] === undefined) &&
    coded(
      "CDB1002",
      `${LISTS.join(" and ")} are missing: declare at least one, or remove the resource.`,
    ),
};

/**
 * Stricter than a Service, which merges repeated entries: here, different parts of the program may
 * need each one.
 */
const eachOnce = (name: string, rules: ListRules): Rule => ({
  fields: [name],
  description: "Each entry can be declared once.",
  test({ [name]: list }) {
    const [repetition] = repetitions(rules, list ?? []);
    if (repetition === undefined) return undefined;
    const { first, repeated } = repetition;
    return coded(
      "CDB1006",
      `${name}[${first}] and ${name}[${repeated}] are the same entry; keep one of them.`,
    );
  },
});

const field = settable("updateService");

export const serviceAccess = defineResource({
  title: "access to service",
  description: [
    "Access to a service that another program, stack or team owns: entries that are added to its access list and to its private endpoints. Entries of others are never changed or removed. Destroying the resource removes the entries that it has added.",
    "Do not use it for a list that a `Service` declares: that is the complete list. Its id is the service's id.",
  ],
  id: "serviceId",
  fields: {
    organizationId: organizationField("The ID of the organization that owns the service."),
    serviceId: idField("The ID of the service to give access to."),
    ipAccessList: field(
      accessList,
      "The IP addresses and networks to add to those that may reach the service. Removing an entry from the program removes it from the service, unless another resource of the program declares it now. Entries of others are left unchanged. The description of a new entry names the stack, such as `office (shop/production)`: by that, the stack finds its entries again.",
      { list: accessRules },
    ),
    privateEndpointIds: field(
      listOf(text()),
      "The IDs of the private endpoints to add to those that reach the service. Removing an ID from the program removes it from the service. IDs that others have added are left unchanged.",
      { form: "id", list: endpointRules },
    ),
  },
  outputs: {
    sharedSources: {
      schema: z.array(z.string()),
      description:
        "The networks that are declared here and owned by other stacks or people: their description on the service does not name this stack. They are left unchanged, and stay when this resource no longer declares them.",
      apiName: "ipAccessList",
    },
    sharedPrivateEndpointIds: {
      schema: z.array(z.string()),
      description:
        "The private endpoints that are declared here and owned by other stacks or people. They stay when this resource no longer declares them.",
      apiName: "privateEndpointIds",
    },
    openSources: {
      schema: z.array(z.string()),
      description:
        "The sources of other owners that open the service to everyone, such as 0.0.0.0/0. Empty if there are none.",
    },
  },
  rules: [
    someList,
    eachOnce("ipAccessList", accessRules),
    eachOnce("privateEndpointIds", endpointRules),
    noBareWildcard,
  ],
  read: "getService",
  updates: ["updateService"],
  lifecycle: entries,
  applyDefaults,
});

/**
 * Empties an undeclared list, to remove its entries. Adds the stack to descriptions, so that the
 * console shows which stack opened a network, and the stack recognizes its entries.
 */
function applyDefaults(oldInputs: Properties = {}, inputs: Properties, _: unknown, stack: string) {
  const emptied = LISTS.filter(
    (name) => oldInputs[name] !== undefined && inputs[name] === undefined,
  );
  const completed: Properties = {
    ...inputs,
    ...Object.fromEntries(emptied.map((name) => [name, []])),
  };
  if (!Array.isArray(completed.ipAccessList)) return { inputs: completed };
  const former = new Map(
    entriesOf(oldInputs.ipAccessList).map((entry) => [sourceOf(entry), descriptionOf(entry)]),
  );
  const ipAccessList = completed.ipAccessList.map((entry) => {
    const [text, state] = [descriptionOf(entry), former.get(sourceOf(entry))];
    if (text === undefined || text === UNKNOWN) return entry;
    const isSame = state !== undefined && (state === text || withoutStack(state) === text);
    const description = isSame ? state : withStack(text, stack);
    return description === text ? entry : { ...entry, description };
  });
  return { inputs: { ...completed, ipAccessList } };
}

/** An entry's description, empty if omitted; undefined if the entry is invalid. */
function descriptionOf(entry: unknown): string | undefined {
  const { description = "" } = isRecord(entry) ? entry : { description: null };
  return typeof description === "string" ? description : undefined;
}

function sourceOf(entry: unknown): unknown {
  const source = isRecord(entry) ? entry.source : undefined;
  return typeof source === "string" ? (networkOf(source)?.text ?? source) : undefined;
}
