import { linkTo } from "./about";

test.each([
  ["https://ci.example/a?b=1", "https://ci.example/a?b=1"],
  ["https://ci.example/) **x** <b>", "https://ci.example/%29%20%2A%2Ax%2A%2A%20%3Cb%3E"],
  ["javascript:alert(1)", undefined],
  ["https://user:password@ci.example/", undefined],
  ["run 1", undefined],
])("a link to %s is %s", (text, link) => {
  expect(linkTo(text)).toBe(link);
});
