import { UNKNOWN } from "pulumi-clouddb-facts";
import { z } from "zod";
import { definition as sample } from "../../tests/support/sample-fields";
import { SECRETS } from "../names";
import { markSecrets, markState } from "./conversions";
import type { Definition, ListRules } from "./field";
import { DECLARED } from "./known-values";
import { withValue } from "./paths";
import {
  asSecret,
  markedArguments,
  markedPaths,
  newlyMarked,
  secretNames,
  secretPaths,
  secretTexts,
} from "./secrets";
import { recordDeclared } from "./state";

const plain = {
  schema: z.unknown(),
  description: "",
  onChange: "update",
  sentWith: ["change"],
} as const;
const list: ListRules = {
  key: String,
  canonical: (entry) => entry,
  send: "whole",
  unmanaged: "keep",
};

const definition: Definition = {
  fields: {
    name: { ...plain, inResponse: true },
    tags: { ...plain, list },
    source: {
      description: "",
      fields: {
        role: plain,
        token: { ...plain, secret: true },
        kafka: { description: "", fields: { port: { ...plain, apiName: "kafka_port" } } },
      },
    },
  },
  outputs: {
    allTags: { schema: z.unknown(), description: "", apiName: "tags" },
    currentSource: { schema: z.unknown(), description: "", apiName: "source" },
    url: { schema: z.unknown(), description: "" },
    nested: { schema: z.unknown(), description: "" },
    password: { schema: z.unknown(), description: "", secret: true },
  },
  rules: [],
};

const inputs = {
  name: "db",
  tags: ["a"],
  source: { role: "reader", token: "t0ken", kafka: { port: 9092 } },
};

test.each<[string, unknown, string[] | undefined]>([
  ["the argument itself", ["name"], ["name"]],
  ["a part of the argument", ["tags[].key", "name.first"], ["name", "tags"]],
  [
    "the group around the argument, without secrets of the table",
    ["source"],
    ["source.role", "source.kafka.port"],
  ],
  ["a group in between", ["source.kafka"], ["source.kafka.port"]],
  ["a secret of the table alone", ["source.token", "source.token.part"], undefined],
  ["an unknown argument", ["other", "nam", "names", "source.rol"], undefined],
  ["no path", undefined, undefined],
  ["a path that is not in a list", "name", undefined],
])("a marked path selects the arguments to mark: %s", (_, places, expected) => {
  expect(markedArguments(definition, inputs, places)).toEqual(expected);
});

test("an undeclared argument is not marked", () => {
  expect(markedArguments(definition, { source: { role: "reader" } }, ["source", "name"])).toEqual([
    "source.role",
  ]);
  expect(markedArguments(definition, { source: UNKNOWN }, ["source"])).toEqual([
    "source.role",
    "source.kafka.port",
  ]);
});

describe("a state with marked arguments", () => {
  const stateOf = (names: string[], more: object = {}) => ({
    ...inputs,
    [DECLARED]: ["name"],
    [SECRETS]: names,
    ...more,
  });
  /** The secrets of the state. */
  function secretsIn(value: unknown, place = ""): string[] {
    if (typeof value !== "object" || value === null) return [];
    if (JSON.stringify(Object.keys(value)) === JSON.stringify(Object.keys(asSecret(0) as object)))
      return [place];
    return Object.entries(value).flatMap(([name, inner]) =>
      secretsIn(inner, place ? `${place}.${name}` : name),
    );
  }
  const marked = (names: string[], more: object = {}, known: Record<string, unknown> = {}) => {
    const state = stateOf(names, more);
    return secretsIn(markState(definition, state, [known], markedPaths(definition, state))).sort();
  };

  test("a state marks an output text that contains a marked text, and a list as a whole", () => {
    const more = {
      tags: ["abc"],
      nested: { a: { text: "xabcx" }, b: ["c", { d: "abc" }], e: 5 },
      url: "ab",
    };
    expect(marked(["tags"], more)).toEqual(["nested.a.text", "nested.b", "tags"]);
  });

  test("a state marks an output text that contains a marked text of a failed update", () => {
    const known = { tags: ["wanted"], name: "plain", [SECRETS]: ["tags"] };
    expect(marked(["tags"], { url: "as wanted", nested: { a: "plain" } }, known)).toEqual([
      "tags",
      "url",
    ]);
  });

  test("a state marks an output text that equals a short marked text", () => {
    expect(marked(["tags"], { tags: ["ab"], url: "ab", nested: { a: "abc" } })).toEqual([
      "tags",
      "url",
    ]);
  });

  test("a state marks no equal number, no text that the program shows itself, and no unknown value", () => {
    const more = {
      nested: { a: 9092, b: "9092" },
      url: UNKNOWN,
      name: "abc",
      tags: ["abc", UNKNOWN],
    };
    expect(marked(["tags", "source.kafka.port"], more)).toEqual(["source.kafka.port", "tags"]);
    expect(marked(["tags"], { tags: ["9092"], nested: { a: 9092 } })).toEqual(["tags"]);
    expect(marked(["tags"], { tags: ["abc"], __provider: "abc" })).toEqual(["tags"]);
  });

  test("a state marks nothing if the program marks nothing", () => {
    expect(marked([])).toEqual([]);
    expect(secretsIn(markState(definition, { ...inputs, [SECRETS]: "name" }, []))).toEqual([]);
  });
});

test("absent values do not become secrets", () => {
  const marked = markSecrets({ a: { b: 1, c: 2 }, d: UNKNOWN, e: [1] }, [
    ["a", "b"],
    ["a", "x"],
    ["d", "f"],
    ["e"],
    ["g"],
  ]);
  expect(marked).toEqual({ a: { b: asSecret(1), c: 2 }, d: UNKNOWN, e: asSecret([1]) });
  expect(markSecrets({ d: UNKNOWN }, [["d"]])).toEqual({ d: asSecret(UNKNOWN) });
});

test("texts and numbers of marked arguments are secrets in messages", () => {
  const state = { ...inputs, password: "hush", [SECRETS]: ["name", "source.kafka.port"] };
  expect(secretTexts(definition, state).sort()).toEqual(["9092", "db", "hush", "t0ken"]);
  expect(secretTexts(definition, { ...state, name: UNKNOWN, [SECRETS]: ["name"] }).sort()).toEqual([
    "hush",
    "t0ken",
  ]);
});

test("a marked argument keeps its mark and value once it is no longer declared", () => {
  const marked = { ...inputs, [SECRETS]: ["name"] };
  const { name: _, ...declared } = inputs;
  const state = recordDeclared(definition, marked, declared);
  expect(state).toMatchObject({ name: "db", [SECRETS]: ["name"] });
});

test("secrets are found by their path", () => {
  expect(secretPaths(sample)).toEqual([["source", "token"]]);
  expect(secretNames(sample)).toEqual(["password"]);
  const properties = withValue({ password: "hush" }, ["source"], {
    role: "reader",
    token: "t0ken",
  });
  expect(secretTexts(sample, properties)).toEqual(["t0ken", "hush"]);
});

test("a mark beside a stored one is new", () => {
  const stored = { [SECRETS]: ["tags"] };
  expect(newlyMarked(stored, { [SECRETS]: ["name", "tags"] })).toEqual(["name"]);
});
