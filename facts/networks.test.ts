import { Address4 } from "ip-address";
import { networkOf } from "./networks";

test("the networks of a list of 100,000 are parsed once, however often they are needed", () => {
  const isValid = jest.spyOn(Address4, "isValid");
  const sources = Array.from(
    { length: 100_000 },
    (_, index) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
  );
  const texts = () => sources.map((source) => networkOf(source)?.text);
  const first = texts();
  expect(texts()).toEqual(first);
  expect(isValid.mock.calls.length).toBeLessThanOrEqual(sources.length);
  isValid.mockRestore();
});
