import { z } from "zod";
import { operations } from "../../api/operations";
import { defineResource } from "../../core/define-resource";
import { idField, organizationField, organizationIn } from "../../core/id-fields";
import { coded } from "../../errors";
import type { Definition, ListRules, Properties, Rule } from "../../fields";
import { listOf, text } from "../../fields/shapes";
import { accessList, accessListRules, privateEndpointRules } from "../service/access-list";

const LISTS = ["ipAccessList", "privateEndpointIds"] as const;

/** The rules of a list that a Service declares completely, for one to which this resource adds entries. */
const shared = (rules: ListRules, sharedAs: string): ListRules => ({ ...rules, unmanaged: "keep", sharedAs });

const accessRules = shared(accessListRules, "sharedSources");
const endpointRules = shared(privateEndpointRules, "sharedPrivateEndpointIds");

const somethingToAdd: Rule = {
  fields: LISTS,
  doc: "At least one of ipAccessList and privateEndpointIds must have an entry.",
  test: (values) =>
    LISTS.every((name) => (values[name] ?? []).length === 0)
      ? coded("CDB1002", `${LISTS.join(" and ")} have no entries: declare at least one, or remove the resource.`)
      : undefined,
};

/** A Service takes an entry that is declared twice for one; here, two parts of a program may count on it. */
const eachOnce = (name: string, rules: ListRules): Rule => ({
  fields: [name],
  doc: "Each entry can be declared once.",
  test({ [name]: list = [] }) {
    const places = new Map<string, number>();
    for (const [other, entry] of (list as unknown[]).entries()) {
      const key = rules.key(entry);
      const one = places.get(key);
      if (one !== undefined)
        return coded("CDB1006", `${name}[${one}] and ${name}[${other}] are the same entry; keep one of them.`);
      places.set(key, other);
    }
    return undefined;
  },
});

export const serviceAccessDefinition: Definition = {
  fields: {
    organizationId: organizationField("The ID of the organization that owns the service."),
    serviceId: idField("The ID of the service to give access to."),
    ipAccessList: {
      schema: accessList,
      doc: "The IP addresses and networks to add to those that may reach the service. Removing an entry from the program removes it from the service. Entries of others are left unchanged.",
      onChange: "update",
      operations: ["updateService"],
      inResponse: true,
      list: accessRules,
    },
    privateEndpointIds: {
      schema: listOf(text()),
      doc: "The IDs of the private endpoints to add to those that reach the service. Removing an ID from the program removes it from the service. IDs that others have added are left unchanged.",
      onChange: "update",
      operations: ["updateService"],
      inResponse: true,
      list: endpointRules,
    },
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
};

export const serviceAccess = defineResource({
  definition: serviceAccessDefinition,
  title: "access to service",
  idArgument: "serviceId",
  parameters: (serviceId, { organizationId }) => ({ organizationId: organizationIn(organizationId), serviceId }),
  read: operations.getService,
  updates: { updateService: operations.updateService },
  applyDefaults: emptyUndeclared,
});

/** Empties a list that the program has stopped declaring: otherwise, its entries would stay without an owner. */
function emptyUndeclared(oldInputs: Properties, inputs: Properties) {
  const emptied = LISTS.filter((name) => oldInputs[name] !== undefined && inputs[name] === undefined);
  return { inputs: { ...inputs, ...Object.fromEntries(emptied.map((name) => [name, []])) } };
}
