import vectors from "../../tests/vectors/addresses.json";
import { networkOf } from "./access";

test("reads networks as Go and Python do, and refuses what one of them refuses", () => {
  const read = Object.fromEntries(Object.keys(vectors.networks).map((text) => [text, networkOf(text)]));
  const expected = Object.entries(vectors.networks).map(([text, network]) => [
    text,
    network ? networkOf(network) : undefined,
  ]);
  expect(read).toEqual(Object.fromEntries(expected));
});
