import net from "node:net";
import { networkOf, wideSources } from "./networks";

test("the networks of a list of 100,000 are parsed once for any number of uses", () => {
  const isIPv4 = jest.spyOn(net, "isIPv4");
  const sources = Array.from(
    { length: 100_000 },
    (_, index) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
  );
  const texts = () => sources.map((source) => networkOf(source)?.text);
  const first = texts();
  expect(texts()).toEqual(first);
  expect(isIPv4).toHaveBeenCalledTimes(sources.length);
  isIPv4.mockRestore();
});

test.each([
  ["::/0"],
  ["2000::/3"],
  ["2000::/4", "3000::/4"],
  ["2000::/4"],
  ["::/1"],
  // IPv4 addresses that IPv6 networks embed, or contain.
  ["::/96"],
  ["::ffff:0:0/96"],
  ["64:ff9b::/96"],
  ["2002::/16"],
  ["::/80"],
  ["::/32"],
  ["::fffe:0:0/95"],
  ["64:ff9b::/64"],
  ["0.0.0.0/1", "::ffff:128.0.0.0/97"],
  ["203.0.113.7/0"],
  ["0.0.0.0"],
  ["0.0.0.0/32", "::"],
  ["::/128"],
  ["::0.0.0.0"],
  ["::ffff:0.0.0.0"],
])("a list is open to everyone through %s %s, beside narrow entries", (...sources) => {
  const list = [...sources, "10.0.0.1", "2001:db8::1"].map((source) => ({ source }));
  expect(wideSources(list)).toEqual(sources);
});

test.each([
  ["10.0.0.0/8", "203.0.113.7"],
  ["2600::/12", "fd00::/8", "8000::/1"],
  ["::ffff:10.0.0.0/104", "::ffff:203.0.113.7"],
  ["0.0.0.0/2", "64.0.0.0/3", "0.0.0.0/2", "0.0.0.0/3"],
  ["unknown", "/0"],
  ["0.0.0.0/31", "::/127"],
])("a list is not open to everyone through %s %s", (...sources) => {
  expect(wideSources(sources.map((source) => ({ source })))).toEqual([]);
});
