import vectors from "../../tests/support/vectors/addresses.json";
import { canonicalNetwork } from "./shapes";

test("the simulator reads networks as Go and Python do, and refuses what one of them refuses", () => {
  const networks = Object.keys(vectors.networks).map((text) => [
    text,
    canonicalNetwork(text) ?? null,
  ]);
  expect(Object.fromEntries(networks)).toEqual(vectors.networks);
});
