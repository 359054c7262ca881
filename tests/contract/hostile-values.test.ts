import { z } from "zod";
import { DECLARED, type Field, type Group, isGroup, type Properties } from "../../provider/fields";
import { SECRETS } from "../../provider/names";
import { resources } from "../../provider/resources";
import { startNativeEngine } from "../support/adapters/native";
import { asset, secret, UNKNOWN } from "../support/adapters/values";
import { environmentOf } from "../support/api";
import { EXAMPLE_IDS } from "../support/example";
import { useSeededSimulator } from "./seeded";
import { createHandlers, fakeClock } from "./support";

/** Values of any shape in every place of arguments and states lead to a result or to one sentence. */

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
  resource: special("5cf8f73096256a8f31e491e813e4eb8e", { urn: "urn:pulumi:dev::test::a:b:C::c", id: "c" }),
  "unknown signature": special("text", {}),
  unknown: UNKNOWN,
};

/** The shapes that tests also send in requests, not only check. */
const SENT = ["null", "text", "object", "list of null"];

const { organizationId = "", serviceId = "" } = EXAMPLE_IDS;

type Entry = Field | Group | z.ZodType;
const isSchema = (entry: Entry): entry is z.ZodType => entry instanceof z.ZodType;

/** The members of a group, an object or a list. */
function membersOf(entry: Entry): Readonly<Record<string, Entry>> {
  if (!isSchema(entry)) return isGroup(entry) ? entry.fields : membersOf(entry.schema);
  if (entry instanceof z.ZodOptional) return membersOf(entry.unwrap() as z.ZodType);
  return entry instanceof z.ZodObject ? entry.shape : {};
}

function entryIn(entry: Entry): z.ZodType | undefined {
  if (!isSchema(entry)) return isGroup(entry) ? undefined : entryIn(entry.schema);
  if (entry instanceof z.ZodOptional) return entryIn(entry.unwrap() as z.ZodType);
  return entry instanceof z.ZodArray ? (entry.element as z.ZodType) : undefined;
}

/** A value that a field allows. */
function sampleOf(entry: Entry, name = ""): unknown {
  if (!isSchema(entry) && !isGroup(entry)) return sampleOf(entry.schema, name);
  const inner = entryIn(entry);
  if (inner !== undefined) return [sampleOf(inner, name)];
  const members = Object.entries(membersOf(entry));
  if (members.length > 0) return Object.fromEntries(members.map(([inner, member]) => [inner, sampleOf(member, inner)]));
  const schema = z.toJSONSchema(entry as z.ZodType, { unrepresentable: "any" });
  const { enum: allowed, type, minimum = 0, multipleOf = 1, format } = schema;
  if (allowed) return allowed[0];
  // Nothing listens at the endpoints of the samples.
  if (type === "boolean") return name !== "waitForEndpoint";
  if (type !== "string") return minimum + multipleOf;
  return name === "source" ? "203.0.113.1" : (format ?? schema.pattern) ? serviceId : "sample";
}

/** The value with a shape in each of its places in turn. */
function placements(entry: Entry, name: string, shape: unknown): [place: string, value: unknown][] {
  const inner = entryIn(entry);
  const inList = inner === undefined ? [] : placements(inner, name, shape);
  const members = Object.entries(membersOf(entry));
  return [
    [name, shape],
    ...inList.map(([place, value]): [string, unknown] => [
      `${place} in a list`,
      [sampleOf(inner as Entry, name), value],
    ]),
    ...members.flatMap(([member, field]) =>
      placements(field, member, shape).map(([place, value]): [string, unknown] => {
        // At most one kind of source may be declared.
        const others = !isSchema(entry) && isGroup(entry) ? {} : (sampleOf(entry, name) as Properties);
        return [`${name}.${place}`, { ...others, [member]: value }];
      }),
    ),
  ];
}

const cases = Object.entries(resources).flatMap(([type, { definition: resource }]) => {
  const base = Object.fromEntries(Object.entries(EXAMPLE_IDS).filter(([name]) => name in resource.fields));
  const fields = Object.entries<Entry>(resource.fields);
  const outputs = Object.entries(resource.outputs).map(([name, { schema }]): [string, Entry] => [name, schema]);
  return Object.entries(SHAPES).map(([shapeName, shape]) => {
    const declared = fields.flatMap(([name, entry]) =>
      placements(entry, name, shape).map(([place, value]) => ({
        place,
        odd: { ...base, [name]: value },
        sound: { ...base, [name]: sampleOf(entry, name) },
      })),
    );
    const names = fields.map(([name]) => name);
    const stored = [
      ...outputs.flatMap(([name, entry]) =>
        placements(entry, name, shape).map(([place, value]) => [place, { [name]: value }]),
      ),
      ...[DECLARED, SECRETS, "__others", "__uncertain"].flatMap((name) => [
        [name, { [name]: shape }],
        [`${name} in a list`, { [name]: [shape] }],
        [`${name} by name`, { [name]: Object.fromEntries(names.map((field) => [field, shape])) }],
        [`${name} by name in a list`, { [name]: Object.fromEntries(names.map((field) => [field, [shape]])) }],
      ]),
    ] as [string, Properties][];
    const all = fields.flatMap(([name, entry]) =>
      isSchema(entry) || isGroup(entry) ? [] : [[name, sampleOf(entry, name)]],
    );
    return { type, resource, shapeName, declared, stored, sound: { ...Object.fromEntries(all), ...base } };
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
    return (answer?.failures ?? []).map(({ reason }) => reason).filter((reason) => isUnexplained(reason));
  } catch (error) {
    const { message } = error as Error;
    return isUnexplained(message) ? [message] : [];
  }
}

function isUnexplained(text: string): boolean {
  return UNEXPLAINED.test(text) || !/[.?] \[CDB\d{4}\]$/s.test(text);
}

test.each(cases)(
  "$shapeName in each place of $type",
  async ({ type, resource, shapeName, declared, stored, sound }) => {
    const environment = { ...environmentOf(seeded.simulator), CLOUDDB_MAX_RETRIES: "0", CLOUDDB_JOURNAL: "off" };
    const handlers = createHandlers(resource, seeded.simulator, environment);
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
      if (isSent) await attempt(`update, ${place} in the state`, () => handlers.update(id, olds, news));
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
      await attempt(`preview of an update, ${place}`, () => engine.update(type, "db", id, state, odd, true));
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
  "an entry of a state that is %s is a change",
  async (_, shape) => {
    const { engine } = startNativeEngine({
      environment: environmentOf(seeded.simulator),
      clock: fakeClock(),
      random: () => 1,
    });
    const inputs = { organizationId, ipAccessList: [{ source: "203.0.113.1" }, { source: "203.0.113.2" }] };
    const state = { ...inputs, ipAccessList: [inputs.ipAccessList[0], shape], ...namesOf(inputs) };
    const difference = engine.diff("Service", "db", serviceId, state, inputs);
    if (shape === SHAPES.asset || shape === SHAPES.archive) await expect(difference).rejects.toThrow("[CDB1012]");
    else expect(await difference).toMatchObject({ changes: "unknown" });
  },
);
