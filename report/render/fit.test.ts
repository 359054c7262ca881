import { fitLines } from "./fit";
import { shortenPair } from "./lines";

test("a line that is too long does not displace later ones", () => {
  const lines = ["- one", `- ${"x".repeat(500)}`, "- two"];
  expect(fitLines({ lines }, 60)).toEqual(["- one", "- two", "- … and 1 more"]);
  expect(fitLines({ lines }, 1000)).toEqual(lines);
});

test("two long values are shortened around their difference", () => {
  const long = "x".repeat(70_000);
  expect(shortenPair(`${long}a${long}`, `${long}b${long}`).map((text) => text.slice(0, 43))).toEqual([
    `…${"x".repeat(40)}ax`,
    `…${"x".repeat(40)}bx`,
  ]);
});
