import { operations } from "../../api/operations";
import { defineResource } from "../../core/define-resource";
import { organizationIn } from "../../core/id-fields";
import type { Naming } from "../../core/resource-type";
import { coded, type Message } from "../../errors";
import type { Definition, Properties } from "../../fields";
import { NAME_LENGTH, serviceFields, serviceOutputs } from "./fields";
import { serviceRules } from "./rules";
import { waitForEndpoints } from "./wait-for-endpoints";

export const serviceDefinition: Definition = {
  fields: serviceFields,
  outputs: serviceOutputs,
  rules: serviceRules,
  adoptionArgument: "existingServiceId",
};

export const service = defineResource({
  definition: serviceDefinition,
  title: "service",
  idArgument: "existingServiceId",
  creation: { operation: operations.createService, name: "createService", member: "service" },
  parameters: (serviceId, { organizationId }) => ({ organizationId: organizationIn(organizationId), serviceId }),
  read: operations.getService,
  updates: { updateService: operations.updateService, scaleService: operations.scaleService },
  applyDefaults: applyDefaultName,
  finish: waitForEndpoints,
});

/** A new service is named after its resource; one that is adopted or already has a name keeps it. */
function applyDefaultName(oldInputs: Properties, inputs: Properties, { name: wanted, isEnforced = false }: Naming) {
  if (inputs.name !== undefined || inputs.existingServiceId !== undefined) return { inputs };
  if (Object.keys(oldInputs).length > 0)
    return { inputs: oldInputs.name ? { ...inputs, name: oldInputs.name } : inputs };
  const words = wanted.replace(/[^A-Za-z0-9]+/g, " ").trim();
  const name = words.slice(0, NAME_LENGTH).trim();
  if (isEnforced && (name === "" || name !== wanted)) return { inputs, refusal: describeRefusal(wanted) };
  return { inputs: name === "" ? inputs : { ...inputs, name }, warning: describeLoss(wanted, name) };
}

function describeRefusal(name: string): Message {
  if (name === "") return coded("CDB1007", "pulumi:autonaming is disabled for this service; declare name.");
  return coded(
    "CDB1007",
    `pulumi:autonaming enforces the name ${JSON.stringify(name)}, and a service's name can have only letters A to Z, digits and spaces, at most ${NAME_LENGTH}; change the pattern, propose it instead, or declare name.`,
  );
}

/** Separators are replaced without a word, but two names that differ in letters may become one. */
function describeLoss(resourceName: string, name: string): Message | undefined {
  const lettersOf = (text: string) => text.replace(/[^\p{L}\p{M}\p{N}]/gu, "");
  if (name !== "" && lettersOf(name) === lettersOf(resourceName)) return undefined;
  const loss =
    name === ""
      ? { name: "no name", advice: "choose one" }
      : { name: `the name ${JSON.stringify(name)}`, advice: "choose another" };
  return coded(
    "CDB1007",
    `the service gets ${loss.name}, because its name can have only letters A to Z, digits and spaces, at most ${NAME_LENGTH}; declare name to ${loss.advice}.`,
  );
}
