import { service } from "../../provider/resources/service/service";
import { useServices } from "./service-setup";
import { fakeClock, type Properties, startProcess } from "./support";

/** The name that a service gets from its resource. */

const setup = useServices();

async function checked(name: string, args = {}, olds = {}) {
  const { handlersFor, messages } = startProcess(setup.simulator, {}, fakeClock());
  const { inputs, failures } = await handlersFor(service, name).check(olds, args);
  expect(failures).toEqual([]);
  return { name: inputs.name, messages: [...messages] };
}

const RULE = "because its name can have only letters A to Z, digits and spaces, at most 50";

test.each([
  ["größe-数据", "gr e"],
  ["größe-данные", "gr e"],
  [`--${"a".repeat(80)}`, "a".repeat(50)],
  [`${"a".repeat(49)}-b`, "a".repeat(49)],
  ["cafe\u0301", "cafe"],
])("the resource name %s loses letters, and a warning shows what is left", async (resource, name) => {
  expect(await checked(resource)).toEqual({
    name,
    messages: [`${resource}: the service gets the name "${name}", ${RULE}; declare name to choose another. [CDB1007]`],
  });
});

test.each(["数据", "--"])("a resource name of %s leaves no letters for a service's name", async (resource) => {
  expect(await checked(resource)).toEqual({
    name: undefined,
    messages: [`${resource}: the service gets no name, ${RULE}; declare name to choose one. [CDB1007]`],
  });
});

test("two services of one name cause a warning when one of them is created", async () => {
  const same = { name: "analytics" };
  const elsewhere = { ...same, organizationId: "00000000-0000-4000-8000-000000000001" };
  const warnings = async (...services: readonly [name: string, args: Properties, olds: Properties][]) => {
    const { handlersFor, messages } = startProcess(setup.simulator, {}, fakeClock());
    for (const [name, args, olds] of services) await handlersFor(service, name).check(olds, args);
    return messages;
  };
  expect(await warnings(["first", same, same], ["first", same, {}], ["other", elsewhere, {}])).toEqual([]);
  expect(await warnings(["first", same, same], ["second", same, same])).toEqual([]);
  const both = `"first" and "second" declare the same name for a service.`;
  const warning = `${both} The API allows that, but nobody can tell the two apart: give one of them another name. [CDB1017]`;
  expect(await warnings(["first", same, same], ["second", same, {}])).toEqual([warning]);
  expect(await warnings(["first", same, {}], ["second", same, same])).toEqual([warning]);
});

test("separators in a resource name are replaced without a warning", async () => {
  expect(await checked("my-db_01.eu")).toEqual({ name: "my db 01 eu", messages: [] });
});

test("a declared name, an adopted service and one in the stack are left alone", async () => {
  expect(await checked("größe", { name: "size" })).toEqual({ name: "size", messages: [] });
  expect(await checked("größe", { existingServiceId: "a1b2c3d4-0001-4a53-9c1e-000000000001" })).toEqual({
    name: undefined,
    messages: [expect.stringMatching(/^Adopting service /)],
  });
  expect(await checked("größe", {}, { name: "old" })).toEqual({ name: "old", messages: [] });
  const formerlyAdopted = { existingServiceId: "a1b2c3d4-0001-4a53-9c1e-000000000001" };
  expect(await checked("größe", {}, formerlyAdopted)).toEqual({ name: undefined, messages: [] });
});
