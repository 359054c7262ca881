import fc from "fast-check";
import { z } from "zod";
import { changeBody, definition, inputs, ONE, tags } from "../../tests/support/sample-fields";
import { diff } from "./changes";
import { check } from "./check";
import type { Definition, Properties } from "./field";
import { DECLARED, inputsFromState, invalidFields } from "./known-values";
import { recordDeclared, stateAfterCreate, stateAfterRead, stateAfterUpdate } from "./state";

describe("a declared value", () => {
  test("a declared value does not differ once it is stored", () => {
    fc.assert(
      fc.property(inputs, (wanted) => {
        const state = recordDeclared(
          definition,
          stateAfterRead(definition, {}, wanted, wanted),
          wanted,
        );
        const full = ["change", "scale"].reduce(
          (known, name) => stateAfterUpdate(definition, name, known, wanted, {}),
          state,
        );
        expect(diff(definition, full, wanted).changed).toEqual([]);
        expect(changeBody(full, wanted)).toBeUndefined();
      }),
    );
  });

  test("a declared list is equal in any order", () => {
    fc.assert(
      fc.property(tags, (list) => {
        const state = recordDeclared(definition, { tags: list }, { tags: list });
        expect(diff(definition, state, { tags: [...list].reverse() }).changed).toEqual([]);
      }),
    );
  });

  test("declared arguments are restored from the outputs as they were declared", () => {
    fc.assert(
      fc.property(inputs, (wanted) => {
        const { inputs: checked } = check(definition, undefined, wanted, {});
        const state = stateAfterCreate(definition, "create", checked, {});
        const full = stateAfterUpdate(definition, "change", state, checked, {});
        expect(inputsFromState(definition, full)).toEqual(checked);
      }),
    );
  });
});

describe("a value in a response", () => {
  const wanted = { size: 3, tags: [{ key: "a" }], source: { role: "one", token: "t0ken" } };
  const start = recordDeclared(definition, wanted, wanted);
  const after = (answer: Properties) =>
    stateAfterRead(definition, { ...start, password: "first" }, wanted, answer);

  test("a secret in a response is ignored", () => {
    const state = after({ id: "x", password: "****", source: { role: "one", auth_token: "****" } });
    expect(state).toMatchObject({ password: "first", source: { role: "one", token: "t0ken" } });
    expect(state.wholeSource).toEqual({ role: "one" });
  });

  test("a missing value counts as absent beside other fields of its group, and as unknown without its group", () => {
    const absent = after({ id: "x", size: undefined, source: { other: 1 } });
    expect(absent).toMatchObject({ tags: [], source: { token: "t0ken" } });
    expect(absent).not.toHaveProperty("size");
    expect(absent.source).not.toHaveProperty("role");
    expect(after({ ...wanted, source: undefined })).toMatchObject(wanted);
    expect(after({ ...wanted, source: {} }).source).toEqual({ token: "t0ken" });
  });

  test("a value of another type is ignored", () => {
    const answer = {
      size: Symbol("unusable"),
      tags: [{ key: Symbol("unusable") }],
      madeAt: Symbol("unusable"),
    };
    expect(after(answer)).toMatchObject(wanted);
    expect(after(answer)).not.toHaveProperty("madeAt");
    expect(invalidFields(definition, answer, { tags: [] })).toEqual(["tags[0].key", "madeAt"]);
  });

  test("a secret in a response causes a replacement only if the program had declared it", () => {
    const key = {
      schema: z.string(),
      description: "",
      onChange: "replace",
      sentWith: ["create"],
      secret: true,
    } as const;
    const encrypted: Definition = { fields: { key }, outputs: {}, rules: [] };
    const replaced = (declared: readonly string[]) =>
      diff(encrypted, { key: "****", [DECLARED]: declared }, { key: "real" }).replacing.length;
    expect([replaced([]), replaced(["key"])]).toEqual([0, 1]);
  });
});

test("remaining entries of a list change are removed again, as the server spells them", () => {
  const start = recordDeclared(definition, { tags: [ONE] }, { tags: [ONE] });
  const respelled = { key: "A", note: "" };
  const state = stateAfterUpdate(definition, "change", start, { tags: [] }, { tags: [respelled] });
  expect(state.tags).toEqual([respelled]);
  expect(changeBody(state, { tags: [] })).toEqual({ tags: { remove: [respelled] } });
});
