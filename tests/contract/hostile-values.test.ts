import {
  DECLARED,
  type FieldPath,
  fieldPathsOf,
  type Properties,
  withValue,
} from "../../provider/fields";
import { SECRETS } from "../../provider/names";
import { resources } from "../../provider/resources";
import { startNativeEngine } from "../support/adapters/native";
import { asset, secret, UNKNOWN } from "../support/adapters/values";
import { environmentOf } from "../support/api";
import { EXAMPLE_IDS } from "../support/example";
import { sampleOf } from "../support/sample-fields";
import { useSeededSimulator } from "./simulators";
import { createHandlers, fakeClock, type ResourceType } from "./support";

/**
 * Values of any shape in every place of arguments and states lead to a result or to one sentence.
 */

const special = (signature: string, members: Properties) => ({
  "4dabf18193072939515e22adb298388d": signature,
  ...members,
});
const output = (members: Properties) => special("d0e6a833031e9bbcd3f4e8bde6ca49a4", members);

const SHAPES: Readonly<Record<string, unknown>> = {
  null: null,
  number: 5,
  flag: true,
  text: "text",
  "empty text": "",
  list: ["text"],
  "list of null": [null],
  object: { text: "text" },
  "empty object": {},
  secret: secret("text"),
  "secret null": secret(null),
  "secret without a value": special("1b47061264138c4ac30d75fd1eb44270", {}),
  output: output({ value: "text", secret: true, dependencies: [] }),
  "output null": output({ value: null }),
  "unknown output": output({}),
  asset: asset("text"),
  archive: special("0def7320c3a5731c473e5ecbe6d01bc7", { assets: {} }),
  resource: special("5cf8f73096256a8f31e491e813e4eb8e", {
    urn: "urn:pulumi:dev::test::a:b:C::c",
    id: "c",
  }),
  "unknown signature": special("text", {}),
  unknown: UNKNOWN,
};

/** The shapes that tests also send in requests, not only check. */
const SENT = ["null", "text", "object", "list of null"];

const { organizationId = "", serviceId = "" } = EXAMPLE_IDS;

/** Every place in a value: first the value itself. */
function placesIn(value: unknown): string[][] {
  if (typeof value !== "object" || value === null) return [[]];
  const inner = Object.entries(value).flatMap(([name, member]) =>
    placesIn(member).map((path) => [name, ...path]),
  );
  return [[], ...inner];
}

/** The value with a shape in one place. A list keeps its entry, and gets a second one. */
function withShape(value: unknown, [name, ...path]: string[], shape: unknown): unknown {
  if (name === undefined) return shape;
  const changed = withShape((value as Properties)[name], path, shape);
  return Array.isArray(value) ? [...value, changed] : { ...(value as Properties), [name]: changed };
}

/** The properties with a shape in each place of one of them in turn. */
function placements(properties: Properties, name: string, shape: unknown) {
  return placesIn(properties[name]).map((path) => ({
    place: [name, ...path].join("."),
    odd: { ...properties, [name]: withShape(properties[name], path, shape) },
    sound: properties,
  }));
}

// Nothing listens at the endpoints of the samples.
const sampleOfField = ({ name, field }: FieldPath) =>
  name !== "waitForEndpoint" && sampleOf(field.schema);

const cases = Object.entries(resources).flatMap(([type, { definition: resource }]) => {
  const base = Object.fromEntries(
    Object.entries(EXAMPLE_IDS).filter(([name]) => name in resource.fields),
  );
  const fields = fieldPathsOf(resource.fields);
  const plain = fields
    .filter(({ path }) => path.length === 1)
    .map((field) => [field.name, sampleOfField(field)]);
  const sound = { ...Object.fromEntries(plain), ...base };
  const names = Object.keys(resource.fields);
  return Object.entries(SHAPES).map(([shapeName, shape]) => {
    // A group has one member at a time, since a source has at most one kind.
    const all = fields.flatMap((field) =>
      placements(withValue(base, field.path, sampleOfField(field)), field.path[0] ?? "", shape),
    );
    const declared = [...new Map(all.map((placement) => [placement.place, placement])).values()];
    const outputs = Object.entries(resource.outputs).flatMap(([name, { schema }]) =>
      placements({ ...sound, [name]: sampleOf(schema) }, name, shape).map(
        ({ place, odd }): [string, Properties] => [place, odd],
      ),
    );
    const internal = [DECLARED, SECRETS, "__uncertain"].flatMap((name): [string, Properties][] => [
      [name, { [name]: shape }],
      [`${name} in a list`, { [name]: [shape] }],
      [`${name} by name`, { [name]: Object.fromEntries(names.map((field) => [field, shape])) }],
      [
        `${name} by name in a list`,
        { [name]: Object.fromEntries(names.map((field) => [field, [shape]])) },
      ],
    ]);
    return { type, resource, shapeName, declared, stored: [...outputs, ...internal], sound };
  });
});

const seeded = useSeededSimulator();
const UNEXPLAINED =
  /CDB9004|TypeError|RangeError|Cannot (read|convert)|is not (a function|iterable|defined)|object Object|undefined/;

const namesOf = (properties: Properties) => ({ [DECLARED]: Object.keys(properties) });

/** A failure that is neither a result nor a sentence. */
async function faultOf(work: () => Promise<unknown>): Promise<string[]> {
  try {
    const answer = (await work()) as { failures?: { reason: string }[] } | undefined;
    return (answer?.failures ?? [])
      .map(({ reason }) => reason)
      .filter((reason) => isUnexplained(reason));
  } catch (error) {
    const { message } = error as Error;
    return isUnexplained(message) ? [message] : [];
  }
}

function isUnexplained(text: string): boolean {
  return UNEXPLAINED.test(text) || !/[.?] \[CDB\d{4}\]$/s.test(text);
}

test.each(cases)(
  "a value of the form $shapeName is handled at each place of $type",
  async ({ type, resource, shapeName, declared, stored, sound }) => {
    const environment = {
      ...environmentOf(seeded.api),
      CLOUDDB_MAX_RETRIES: "0",
      CLOUDDB_JOURNAL: "off",
    };
    const handlers = createHandlers(type as ResourceType, seeded.api, environment);
    const { engine } = startNativeEngine({ environment, clock: fakeClock(), random: () => 1 });
    await engine.configure({});
    const id = EXAMPLE_IDS[resource.id] ?? serviceId;
    const isSent = SENT.includes(shapeName);
    const faults: string[] = [];
    const attempt = async (what: string, work: () => Promise<unknown>) => {
      for (const fault of await faultOf(work)) faults.push(`${what}: ${fault}`);
    };
    const tryState = async (place: string, olds: Properties, news: Properties) => {
      await attempt(`diff, ${place} in the state`, () => handlers.diff(id, olds, news));
      if (isSent)
        await attempt(`update, ${place} in the state`, () => handlers.update(id, olds, news));
      await attempt(`preview of an update, ${place} in the state`, () =>
        engine.update(type, "db", id, olds, news, true),
      );
      if (isSent) await attempt(`read, ${place} in the state`, () => handlers.read(id, olds));
      if (isSent) await attempt(`delete, ${place} in the state`, () => handlers.delete(id, olds));
    };
    for (const { place, odd, sound } of declared) {
      const state = { ...sound, ...namesOf(sound) };
      await attempt(`check, ${place}`, () => handlers.check({}, odd));
      await attempt(`check, ${place} in old inputs`, () => handlers.check(odd, sound));
      await attempt(`diff, ${place}`, () => handlers.diff(id, state, odd));
      await attempt(`preview of a creation, ${place}`, () => engine.create(type, "db", odd, true));
      await attempt(`preview of an update, ${place}`, () =>
        engine.update(type, "db", id, state, odd, true),
      );
      if (isSent) await attempt(`create, ${place}`, () => handlers.create(odd));
      if (isSent) await attempt(`update, ${place}`, () => handlers.update(id, state, odd));
      await tryState(place, { ...odd, ...namesOf(odd) }, sound);
    }
    for (const [place, members] of stored) {
      await tryState(place, { ...sound, ...namesOf(sound), ...members }, sound);
    }
    expect(faults.slice(0, 40)).toEqual([]);
  },
);

test.each(Object.entries(SHAPES).filter(([, shape]) => shape !== UNKNOWN))(
  "a stored entry that is %s is a change",
  async (_, shape) => {
    const { engine } = startNativeEngine({
      environment: environmentOf(seeded.api),
      clock: fakeClock(),
      random: () => 1,
    });
    const inputs = {
      organizationId,
      ipAccessList: [{ source: "203.0.113.1" }, { source: "203.0.113.2" }],
    };
    const state = { ...inputs, ipAccessList: [inputs.ipAccessList[0], shape], ...namesOf(inputs) };
    const difference = engine.diff("Service", "db", serviceId, state, inputs);
    if (shape === SHAPES.asset || shape === SHAPES.archive)
      await expect(difference).rejects.toThrow("[CDB1012]");
    else expect(await difference).toMatchObject({ changes: "unknown" });
  },
);
