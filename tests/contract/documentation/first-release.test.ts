import { asReleased, asUnreleased, isMarked, isReleased } from "../../../tools/release/first-release";

test("the changelog says that nothing is released", () => {
  expect(isReleased("# Changelog\n\n## 0.1.0 (unreleased)\n\nText.\n")).toBe(false);
  expect(isReleased("# Changelog\n\n## [0.1.0](https://x) (2026-01-31)\n\nThe list is (unreleased).\n")).toBe(true);
});

test.each([
  ["Install it.<!-- unreleased --> Not yet.<!-- released --> Then run it.", "Install it. Then run it."],
  ["Run <!-- unreleased -->`npm run x`<!-- released: `npx x` -->.", "Run `npx x`."],
  ["One.\n\n<!-- unreleased -->\nTwo.\n\n```sh\na\n```\n<!-- released -->\n\nThree.\n", "One.\n\nThree.\n"],
  [
    "<!-- unreleased -->\nTwo.\n<!-- released:\nA:\n\n<!- test: not run, because … ->\n```sh\na -> b\n```\n-->\n\n- Three.\n",
    "A:\n\n<!-- test: not run, because … -->\n```sh\na -> b\n```\n\n- Three.\n",
  ],
  ["No mark. <!-- test: x -->\n", "No mark. <!-- test: x -->\n"],
])("a page of the first release: %j", (page, released) => {
  expect(asReleased(page)).toBe(released);
  expect(isMarked(asReleased(page))).toBe(false);
});

test("a page before the first release, without its marks", () => {
  const page =
    "A <!-- unreleased -->now<!-- released: then -->.\n\n<!-- unreleased -->\nB.\n<!-- released:\nC.\n-->\n\nD.\n";
  expect(asUnreleased(page)).toBe("A now.\n\nB.\n\nD.\n");
  expect(asReleased(page)).toBe("A then.\n\nC.\n\nD.\n");
});

test("half a mark stays, and is found", () => {
  for (const page of ["<!-- unreleased -->Now.", "Now.<!-- released: Then. -->"])
    expect(isMarked(asReleased(page))).toBe(true);
});
