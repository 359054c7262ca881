import vectors from "../../../tests/vectors/addresses.json";
import { networkOf } from "./access-list";

test("reads networks as Go and Python do, and refuses what one of them refuses", () => {
  const networks = Object.fromEntries(Object.keys(vectors.networks).map((text) => [text, networkOf(text) ?? null]));
  expect(networks).toEqual(vectors.networks);
});
