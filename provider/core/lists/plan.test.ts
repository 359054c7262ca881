import { buildUpdateBody, editedLists, stateAfterUpdate, without } from "../../fields";
import { resources } from "../../resources";
import { createLedger } from "./ledger";
import { ownEntries, plan } from "./plan";

/*
 * A row: the entries that the resource declares, that another resource of the program declares
 * beside it, that the state says to be its own, that the service shows, and that a former resource
 * has passed on; then the plan. `a.x@dev` is network a with the description "x (shop/dev)"; the
 * stack is shop/dev. The columns are:
 *
 *  declares      | beside  | owns    | shown     | passed | add           | remove  | own after
 */

const OF_SERVICE_ACCESS = `
that declares nothing leaves entries of others
                |         |         | b.y       |        |               |         |
adds an entry that it declares
  a.x@dev       |         |         | b.y       |        | a.x@dev       |         | a.x@dev
keeps its entry
  a.x@dev       |         | a.x@dev | a.x@dev   |        |               |         | a.x@dev
adds its entry again after others removed it
  a.x@dev       |         | a.x@dev |           |        | a.x@dev       |         | a.x@dev
removes an entry that it no longer declares
                |         | a.x@dev | a.x@dev b |        |               | a.x@dev |
removes an undeclared entry that the read lacks
                |         | a.x@dev | b         |        |               | a.x@dev |
leaves an undeclared entry that others described anew
                |         | a.x@dev | a.z       |        |               |         |
leaves a declared entry that others described anew
  a.x@dev       |         | a.x@dev | a.z       |        |               |         |
shares an entry of others
  a.x@dev b@dev |         |         | a.z       |        | b@dev         |         | b@dev
describes its entry anew
  a.w@dev       |         | a.x@dev | a.x@dev   |        | a.w@dev       | a.x@dev | a.w@dev
finds a declared entry by the stack's name
  a.w@dev       |         |         | a.x@dev   |        | a.w@dev       | a.x@dev | a.w@dev
leaves an undeclared entry with the stack's name
                |         |         | a.x@dev   |        |               |         |
keeps an own entry without a stack's name, as imports store it
  a.x           |         | a.x     | a.x       |        |               |         | a.x
takes an entry that a Service gave up
  a.x@dev       |         |         | a.x       | a      | a.x@dev       | a.x     | a.x@dev
leaves an entry of another stack that a Service gave up
  a.x@dev       |         |         | a.x@us    | a      |               |         |
leaves its entry to a resource that declares the same
                | a.x@dev | a.x@dev | a.x@dev   |        |               |         |
leaves its entry to a resource that describes it anew
  b@dev         | a.w@dev | a.x@dev | a.x@dev   |        | b@dev a.w@dev | a.x@dev | b@dev
leaves an entry that the read lacks to its next resource
                | a.x@dev | a.x@dev |           |        |               |         |
`;

const OF_SERVICE = `
adds an entry, and leaves one that its state lacks until a refresh
  a b           |         | a       | a c       |        | b             |         | a b
removes an entry that it no longer declares
  a             |         | a b     | a b       |        |               | b       | a
sends nothing for a newly declared entry that the read shows
  a b           |         | a       | a b       |        |               |         | a b
sends nothing for an undeclared entry that the read lacks
  a             |         | a b     | a         |        |               |         | a
restores a declared entry that others described anew
  a.x           |         | a.x     | a.z       |        | a.x           | a.z     | a.x
removes an undeclared entry that others described anew
                |         | a.x     | a.z       |        |               | a.z     |
`;

const ID = "a1b2c3d4-0001-4a53-9c1e-000000000001";

const entriesIn = (text: string) =>
  (text.match(/\S+/g) ?? []).map((word) => {
    const [, network = "", text, stack] = /^([abc])(?:\.(\w))?(?:@(\w+))?$/.exec(word) as string[];
    const owner = text === undefined ? `shop/${stack}` : `${text} (shop/${stack})`;
    const description = stack === undefined ? text : owner;
    return { source: `${"abc".indexOf(network)}.0.0.0/8`, ...(description && { description }) };
  });

const rowsOf = (table: string) =>
  [...table.matchAll(/^(\w.*)\n(.*)$/gm)].map(([, condition = "", row = ""]) => {
    const cells = row.split("|").map((cell) => entriesIn(cell.trim()));
    return [condition, ...cells] as [string, ...ReturnType<typeof entriesIn>[]];
  });

function listOf(type: keyof typeof resources) {
  const [list] = editedLists(resources[type].definition);
  if (list === undefined) throw new Error("a list is missing");
  return list;
}

/** Names the last columns, so that a failed row says which one differs. */
const changeOf = ([add, remove, ownAfter]: readonly unknown[]) => ({ add, remove, ownAfter });

describe("a ServiceAccess", () => {
  const list = listOf("ServiceAccess");
  const { rules } = list;

  test.each(rowsOf(OF_SERVICE_ACCESS))(
    "%s",
    (_, wanted = [], beside, owned = [], shown = [], passed = [], ...expected) => {
      const ledger = createLedger();
      const { definition } = resources.ServiceAccess;
      ledger.declare("beside", ID, definition, { ipAccessList: beside });
      const facts = ledger.of(ID, list);
      facts.pass(passed);
      const part = { rules, owned, stack: "shop/dev" };
      const { after, ownAfter, unseen } = plan(facts, part, wanted, shown);
      const before = [...shown, ...unseen];
      const [added, removed] = [without(rules, after, before), without(rules, before, after)];
      expect(changeOf([added, removed, ownAfter])).toEqual(changeOf(expected));
    },
  );
});

describe("a Service", () => {
  const { definition } = resources.Service;
  const { rules } = listOf("Service");

  test.each(rowsOf(OF_SERVICE))(
    "%s",
    (_, wanted = [], __, owned = [], shown = [], ___, ...expected) => {
      const known = { ipAccessList: ownEntries(rules, owned, wanted, shown) };
      const inputs = { ipAccessList: wanted };
      const body = buildUpdateBody(definition, "updateService", known, inputs);
      const { add = [], remove = [] } = (body?.ipAccessList ?? {}) as Record<string, unknown[]>;
      const response = { ipAccessList: [...without(rules, shown, remove), ...add] };
      const next = stateAfterUpdate(definition, "updateService", known, inputs, response);
      expect(changeOf([add, remove, next.ipAccessList])).toEqual(changeOf(expected));
    },
  );
});
