import vectors from "../tests/support/vectors/addresses.json";
import { networkOf } from "./networks";

test("reads networks as Go and Python do, and refuses what one of them refuses", () => {
  const texts = Object.fromEntries(Object.keys(vectors.networks).map((text) => [text, networkOf(text)?.text ?? null]));
  expect(texts).toEqual(vectors.networks);
});
