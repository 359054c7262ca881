import { decodeEntity, ENTITY, escapeMarkdown, plainText, toSingleLine } from "./text";

test("a plain text has no line breaks, control characters, direction marks or half characters", () => {
  expect(plainText("one\r\n\ttwo\u001b[1m\u0000 \ufeffthree\u202e\u200b\ud800")).toBe(
    "one two [1m three\ufffd",
  );
});

test.each(["\u2028", "\u2029", "\u202f", "\u205f"])("white space %j separates words", (space) => {
  expect(plainText(`a${space}b`)).toBe("a b");
});

test("a line is truncated between characters", () => {
  expect(toSingleLine(" a\n😀b ", 3)).toBe("a …");
  expect(toSingleLine(" a\n😀b ", 4)).toBe("a 😀…");
  expect(toSingleLine(" a\n😀b ", 5)).toBe("a 😀b");
});

test("an escaped text has no markup, mentions or links", () => {
  expect(escapeMarkdown("<b>*a* | [b](c)</b>\n@d #1 https://e www.f")).toBe(
    "&#60;b&#62;&#42;a&#42; &#124; &#91;b&#93;(c)&#60;/b&#62; @&#8203;d #&#8203;1 https:&#8203;//e www&#8203;.f",
  );
});

test("an entity becomes its character, and an unknown entity stays", () => {
  expect("&lt;&#39;&#x27;&nbsp;&XYZ;&#x110000;".replace(ENTITY, decodeEntity)).toBe(
    "<'' &XYZ;&#x110000;",
  );
});
