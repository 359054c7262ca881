import { z } from "zod";
import { operation, SERVICE } from "../../api/operations";
import { service } from "../../api/schemas";
import { idField, organizationField } from "../../core/ids";
import type { Resource } from "../../core/resource";
import { coded } from "../../errors";
import { type ListRules, listOf, type Properties, type Rule, repetitions, settable, text } from "../../fields";
import { accessList, accessListRules, privateEndpointRules } from "../service/fields";

const LISTS = ["ipAccessList", "privateEndpointIds"] as const;

/** The rules of a Service's complete list, for a list to which this resource adds entries. */
const shared = (rules: ListRules, sharedAs: string): ListRules => ({ ...rules, unmanaged: "keep", sharedAs });

const accessRules = shared(accessListRules, "sharedSources");
const endpointRules = shared(privateEndpointRules, "sharedPrivateEndpointIds");

const somethingToAdd: Rule = {
  fields: LISTS,
  doc: "At least one of ipAccessList and privateEndpointIds must have an entry.",
  test: (values) =>
    LISTS.every((name) => (values[name] ?? []).length === 0) &&
    coded("CDB1002", `${LISTS.join(" and ")} have no entries: declare at least one, or remove the resource.`),
};

/** Stricter than Service, which merges repeated entries: here, each may be needed by another part of the program. */
const eachOnce = (name: string, rules: ListRules): Rule => ({
  fields: [name],
  doc: "Each entry can be declared once.",
  test({ [name]: list }) {
    const [repetition] = repetitions(rules, list ?? []);
    if (repetition === undefined) return undefined;
    const { first, repeated } = repetition;
    return coded("CDB1006", `${name}[${first}] and ${name}[${repeated}] are the same entry; keep one of them.`);
  },
});

const field = settable("updateService");

export const serviceAccess: Resource = {
  title: "access to service",
  doc: [
    "Access to a service that another program, stack or team owns: entries that are added to its access list and to its private endpoints. Entries of others are never changed or removed. Destroying the resource removes the entries that it has added.",
    "Do not use it for a list that a `Service` declares: that is the complete list. Its id is the service's id.",
  ],
  id: "serviceId",
  fields: {
    organizationId: organizationField("The ID of the organization that owns the service."),
    serviceId: idField("The ID of the service to give access to."),
    ipAccessList: field(
      accessList,
      "The IP addresses and networks to add to those that may reach the service. Removing an entry from the program removes it from the service. Entries of others are left unchanged.",
      { list: accessRules },
    ),
    privateEndpointIds: field(
      listOf(text()),
      "The IDs of the private endpoints to add to those that reach the service. Removing an ID from the program removes it from the service. IDs that others have added are left unchanged.",
      { list: endpointRules },
    ),
  },
  outputs: {
    sharedSources: {
      schema: z.array(z.string()),
      doc: "The declared networks that others had added to the service. They are left as they are, and stay when this resource no longer declares them.",
    },
    sharedPrivateEndpointIds: {
      schema: z.array(z.string()),
      doc: "The declared private endpoints that others had added to the service. They stay when this resource no longer declares them.",
    },
  },
  rules: [somethingToAdd, eachOnce("ipAccessList", accessRules), eachOnce("privateEndpointIds", endpointRules)],
  read: operation("GET", SERVICE, service),
  updates: { updateService: operation("PATCH", SERVICE, service) },
  applyDefaults: emptyUndeclared,
};

/** Empties a list that is no longer declared, so that its entries are removed. */
function emptyUndeclared(oldInputs: Properties, inputs: Properties) {
  const emptied = LISTS.filter((name) => oldInputs[name] !== undefined && inputs[name] === undefined);
  return { inputs: { ...inputs, ...Object.fromEntries(emptied.map((name) => [name, []])) } };
}
