import { z } from "zod";
import { render } from "../../errors";
import { type Properties, UNKNOWN } from "../../fields";
import { resources } from "../../resources";
import type { Resource } from "../object/resource";
import { createClaims } from "./claims";
import { createLedger } from "./ledger";

const { Service, ServiceAccess, ServiceScaling, Organization, Pipe } = resources;
const ID = "a1b2c3d4-0001-4a53-9c1e-000000000001";
const OTHER = "a1b2c3d4-0002-4a53-9c1e-000000000002";

/** A run of a program, whose resources claim their objects. */
function run() {
  const owners = createClaims(createLedger());
  return (
    name: string,
    { definition }: { definition: Resource },
    inputs: Properties,
    id?: string,
  ) => {
    const conflict = owners.claim(
      `urn:pulumi:dev::test::clouddb:index:Any::${name}`,
      definition,
      inputs,
      id,
    );
    return conflict && render(conflict);
  };
}
const sentence = (thing: string, first = "one", second = "two") =>
  `"${first}" and "${second}" both manage ${thing}, and each would undo the other's changes: keep only one of them. [CDB4009]`;

test.each<[string, { definition: Resource }, Properties, string]>([
  ["pipe", Pipe, { serviceId: OTHER, pipeId: ID }, `pipe ${ID}`],
  ["pipe with arguments", Pipe, { serviceId: OTHER, pipeId: ID, name: "orders" }, `pipe ${ID}`],
  ["scaling", ServiceScaling, { serviceId: ID }, `scaling of service ${ID}`],
  ["organization", Organization, { organizationId: ID }, `organization ${ID}`],
  ["adopted service", Service, { organizationId: OTHER, existingServiceId: ID }, `service ${ID}`],
])("a %s belongs to the first resource that claims it", (_, type, inputs, thing) => {
  const claim = run();
  expect(claim("one", type, inputs)).toBeUndefined();
  // The engine asks more than once.
  expect(claim("one", type, inputs)).toBeUndefined();
  expect(claim("two", type, inputs)).toBe(sentence(thing));
  expect(claim("three", type, inputs)).toBe(sentence(thing, "one", "three"));
  expect(claim("one", type, inputs)).toBeUndefined();
});

test("an id in capitals is the same id", () => {
  const claim = run();
  claim("one", Pipe, { pipeId: ID.toUpperCase() });
  expect(claim("two", Pipe, { pipeId: ID })).toBe(sentence(`pipe ${ID}`));
});

test("an id that is missing, unknown or of another type is not compared", () => {
  const claim = run();
  for (const pipeId of [undefined, UNKNOWN, 5, null, { a: 1 }]) {
    for (const name of ["one", "two"])
      expect(claim(name, Pipe, { serviceId: OTHER, pipeId, name: "x" })).toBeUndefined();
  }
});

describe("two types of resources", () => {
  const service = { existingServiceId: ID };

  test("two types may manage one service if they send different updates", () => {
    const claim = run();
    expect(claim("one", Service, { ...service, name: "db", ipAccessList: [] })).toBeUndefined();
    expect(
      claim("two", ServiceScaling, { serviceId: ID, numReplicas: 3, idleScaling: true }),
    ).toBeUndefined();
    expect(claim("three", Service, { existingServiceId: OTHER, numReplicas: 3 })).toBeUndefined();
  });

  test("two types that send the same update conflict, and the error names the second one's arguments", () => {
    const claim = run();
    expect(claim("one", Service, { ...service, minReplicaMemoryGb: 8 })).toBeUndefined();
    expect(claim("two", ServiceScaling, { serviceId: ID, numReplicas: 3, idleScaling: true })).toBe(
      sentence(`numReplicas, idleScaling of ${ID}`),
    );
  });

  test("two types conflict if both declare an unknown value for one argument", () => {
    const claim = run();
    claim("one", ServiceScaling, { serviceId: ID, numReplicas: UNKNOWN });
    expect(claim("two", Service, { ...service, numReplicas: UNKNOWN })).toBe(
      sentence(`numReplicas of ${ID}`),
    );
  });

  test("two types may send the same creation", () => {
    const field = {
      schema: z.string(),
      description: "",
      onChange: "replace",
      sentWith: ["createService"],
    } as const;
    const creating = (title: string): { definition: Resource } => ({
      definition: { ...Pipe.definition, title, fields: { region: field } },
    });
    const claim = run();
    expect(claim("one", creating("table"), { region: "us-east-1" }, ID)).toBeUndefined();
    expect(claim("two", creating("view"), { region: "us-east-1" }, ID)).toBeUndefined();
  });

  test("resources share a list by entry if none declares the complete list", () => {
    const claim = run();
    const access = (...sources: string[]) => ({
      serviceId: ID,
      ipAccessList: sources.map((source) => ({ source })),
    });
    expect(
      claim("one", Service, { ...service, name: "db", privateEndpointIds: [] }),
    ).toBeUndefined();
    expect(claim("two", ServiceAccess, access("10.0.0.1", "10.0.0.2"))).toBeUndefined();
    expect(claim("three", ServiceAccess, access("10.0.0.3"))).toBeUndefined();
    expect(claim("four", ServiceAccess, access("10.0.0.4", "10.0.0.1/32"))).toBe(
      sentence(`10.0.0.1/32 in ipAccessList of ${ID}`, "two", "four"),
    );
    expect(claim("five", ServiceAccess, { serviceId: ID, privateEndpointIds: ["vpce-1"] })).toBe(
      sentence(`privateEndpointIds of ${ID}`, "one", "five"),
    );
    // A list that it has emptied is not its own any more.
    expect(
      claim("six", ServiceAccess, { ...access("10.0.0.6"), privateEndpointIds: [] }),
    ).toBeUndefined();
    expect(claim("seven", Service, { ...service, ipAccessList: UNKNOWN }, ID)).toBe(
      sentence(`service ${ID}`, "one", "seven"),
    );
    expect(claim("two", ServiceAccess, access("10.0.0.1"))).toBeUndefined();
  });

  test("a resource that declares a complete list conflicts with one that adds entries, in either order", () => {
    const access = { serviceId: ID, ipAccessList: UNKNOWN };
    const claim = run();
    expect(claim("one", ServiceAccess, access)).toBeUndefined();
    expect(claim("two", ServiceAccess, access)).toBeUndefined();
    expect(claim("three", Service, { ...service, ipAccessList: [] })).toBe(
      sentence(`ipAccessList of ${ID}`, "one", "three"),
    );
  });

  test("two types whose objects have the same id do not conflict", () => {
    const claim = run();
    expect(claim("one", Pipe, { pipeId: ID, name: "x" })).toBeUndefined();
    expect(claim("two", Organization, { organizationId: ID, name: "x" })).toBeUndefined();
    expect(claim("three", Service, { ...service, name: "x" })).toBeUndefined();
  });
});
