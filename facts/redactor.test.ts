import fc from "fast-check";
import { createRedactor } from "./redactor";

function knowing(...secrets: string[]) {
  const redactor = createRedactor();
  redactor.addNames(["settings", "source.postgres.credentials"]);
  redactor.addSecrets(secrets);
  return redactor;
}

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const escaped = (text: string, hex = (digits: string) => digits) =>
  inJson(text).replace(
    /[^ -~]/g,
    (letter) => `\\u${hex(letter.charCodeAt(0).toString(16).padStart(4, "0"))}`,
  );
const inAddress = encodeURIComponent;
const inForm = (text: string) => new URLSearchParams({ a: text }).toString().slice(2);

const WITH_TAG = "in HTML, with a tag inside";

/** Spellings in which servers echo values. */
const SPELLINGS: Record<string, (text: string) => string> = {
  "as it is": (text) => text,
  "as JSON text": inJson,
  "as JSON text in ASCII": escaped,
  "as JSON text in ASCII, with capitals": (text) => escaped(text, (digits) => digits.toUpperCase()),
  "as JSON text with escaped slashes": (text) => inJson(text).replaceAll("/", "\\/"),
  "as JSON text in JSON text": (text) => inJson(inJson(text)),
  "in an address": inAddress,
  "in an address, with small letters": (text) =>
    inAddress(text).replace(/%../g, (byte) => byte.toLowerCase()),
  "in a form": inForm,
  "as JSON text in a form": (text) => inForm(inJson(text)),
  "in HTML": (text) =>
    text.replace(/[&<>"'/]/g, (letter) => `&#x${letter.charCodeAt(0).toString(16)};`),
  "in HTML, with names": (text) =>
    text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;"),
  [WITH_TAG]: (text) => `${text.slice(0, 3)}<wbr>${text.slice(3)}`,
  "in one line": (text) => text.replace(/\s+/g, " "),
};

/** Every sort of letter that some spelling changes. */
const CANARIES = [
  'pa"ss\\wo/rd',
  "two\nlines & a\ttab",
  "größe-€-😀-geheim",
  "50% + 50% = %41",
  "\\\\server\\new\\u0041",
  "'quoted'",
  "a+b c",
  "hunter.two",
  "Ab/cd+efGH'ij&klmnop",
];

const cases = CANARIES.flatMap((secret) =>
  Object.keys(SPELLINGS).map((spelling) => [secret, spelling] as const),
);
test.each(cases)(
  "redaction leaves no %j in foreign text that is written %s",
  (secret, spelling) => {
    const written = SPELLINGS[spelling]?.(secret);
    expect(knowing(secret).redact(`BAD_REQUEST: you sent "${written}", it seems`)).toBe(
      'BAD_REQUEST: you sent "[secret]", it seems',
    );
  },
);

test("redaction leaves no secret in foreign text, in any combination of encodings", () => {
  const TAG = /<[a-z/!?][^<>]*>/i;
  const letters = fc.constantFrom(..."abc \"\\/\n\t%+&='é€😀<>{}\u0001");
  const secrets = fc
    .string({ unit: letters, minLength: 8, maxLength: 30 })
    .filter((text) => !/^[^!-￿]|[^!-￿]$/.test(text));
  // A secret that contains tags is not found between other tags.
  const { [WITH_TAG]: _, ...others } = SPELLINGS;
  const spelling = fc.constantFrom(...Object.values(others));
  fc.assert(
    fc.property(secrets, spelling, spelling, (secret, inner, outer) => {
      // No secret has a bar: another end may begin the secret again, as if it were cut there.
      const line = knowing(secret).redact(`>>${outer(inner(secret))}||`);
      // The part of the secret behind its tag is a line of its own, which may begin one letter
      // earlier.
      if (TAG.test(secret)) expect(line).toMatch(/^>>?\[secret\]\|\|$/);
      else expect(line).toBe(">>[secret]||");
    }),
    { numRuns: 1000, examples: [["<a\n>aaaaaaaa", String, String]] },
  );
});

test("redaction leaves no line of a multi-line secret, but keeps the words around a key", () => {
  const { redact } = knowing(
    "-----BEGIN PRIVATE KEY-----\r\nMIIEvQIBADAN\r\nBgkqhkiG9w0B\r\n-----END PRIVATE KEY-----\n",
  );
  expect(redact("after -----BEGIN PRIVATE KEY----- line 2, BgkqhkiG9w0B, is bad")).toBe(
    "after -----BEGIN PRIVATE KEY----- line 2, [secret], is bad",
  );
  expect(redact("MIIEvQIBADANBgkqhkiG9w0B")).toBe("[secret][secret]");
});

test.each([
  ["the key hunter2-and-more", "the key [secret]"],
  ["the key hunter2-", "the key [secret]"],
  ["the key hunt", "the key [secret]"],
  ['{"key":"hunter2-and…"}', '{"key":"[secret]'],
  ["the key hunter2-and-m...", "the key [secret]"],
  ["the key hunter2-and-more-p\\u00e4", "the key [secret]"],
  ["the key hunter2-and-more-p\\u00", "the key [secret]"],
  ["the key hunter2-and-more-p%C3", "the key [secret]"],
  ["the key hunter2-and-more-p%C", "the key [secret]"],
])("a text truncated inside of a secret, %j, ends before the secret", (written, line) => {
  expect(knowing("hunter2-and-more-pässe").redact(written)).toBe(line);
});

const ID = "b1b2c3d4-0001-4a53-9c1e-000000000001";
test.each<[string, string[], string, string]>([
  [
    "short secrets, but not in ids",
    ["9c1", "0001"],
    `9c1x of ${ID}: 0001`,
    `[secret]x of ${ID}: [secret]`,
  ],
  ["an id that is itself a secret", [ID], `key ${ID}.`, "key [secret]."],
  [
    "secrets that overlap, once",
    ["hunter22", "big-hunter22-key", "key-ring"],
    "big-hunter22-key-ring b",
    "[secret] b",
  ],
  ["no words that only contain a very short secret", ["ab", "", " c "], "abc", "abc"],
  [
    "secrets whose parts are spelled differently",
    ["hunter two&co"],
    "a hun%74er+two\\u0026amp;c&#111; b",
    "a [secret] b",
  ],
  [
    "white space that has an invisible character inside",
    ["hunter two"],
    "hunter \u200b two",
    "[secret]",
  ],
  ["a secret at the end of another escape", ["beta&co"], "%6beta%26co%", "%6[secret]%"],
  ["the part of a secret in front of a cut, with its punctuation", ["a.b.c"], "a.b.", "[secret]"],
  ["a secret with more brackets in a tag", ["secret"], "sec<b<i>>ret<b>x", "[secret]x"],
  [
    "short secrets inside a word that an invisible character follows",
    ["abc"],
    "xabc\u200bdef",
    "x[secret]def",
  ],
])("redaction replaces %s", (_, secrets, written, line) => {
  expect(knowing(...secrets).redact(written)).toBe(line);
});

const SENTENCE =
  "Changing pipe b1b2c3d4-0004-4a53-9c1e-000000000004: the API returned 400, BAD_REQUEST: no (PATCH /v1/organizations/5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01/services/svc-1, request id r-abc-1, after 2 attempts). Not done: source.postgres.credentials, settings. Check clouddb:keyId (CLOUDDB_KEY_ID) and that http://127.0.0.1:4010 is right. [CDB3400]";

test.each([
  "b1b",
  "4a53",
  "services",
  "organizations",
  "svc",
  "abc",
  "postgres",
  "clouddb",
  "keyId",
  "127",
  "v1/",
  "CDB3400",
])("redaction keeps ids, paths and names in this project's messages that contain %j", (secret) => {
  expect(knowing(secret).redactOwn(SENTENCE)).toBe(SENTENCE);
});

const ORGANIZATION = "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01";
test.each<[string, string[], string, string]>([
  ["no id that is a secret", [ORGANIZATION], SENTENCE, SENTENCE.replace(ORGANIZATION, "[secret]")],
  ["ids that begin a secret", [`${ORGANIZATION}-more`], SENTENCE, SENTENCE],
  [
    "no secret, wherever it came from",
    ["abc", 'hunter"22', "s3cretpassword"],
    'user abc, "abc", abc. key=hunter\\"22, xs3cretpasswordx',
    'user [secret], "[secret]", [secret]. key=[secret], x[secret]x',
  ],
  [
    "no dotted text except argument names",
    ["hunter.two", "s3cretpassword"],
    "Not done: login.hunter.two, api.s3cretpassword.example.",
    "Not done: login.[secret], api.[secret].example.",
  ],
])("redacted messages of this project contain %s", (_, secrets, text, redacted) => {
  expect(knowing(...secrets).redactOwn(text)).toBe(redacted);
});

test.each([
  ["stack traces", "    at Object.<anonymous> (/app/node_modules/a/b.js:17:3)\n"],
  ["escaped JSON", '{\\"a\\":\\"x\\\\n\\",\\"url\\":\\"https%3A%2F%2Fa.b?c=d+e&amp;f\\"}'],
  ["tags", '<b class=\\"a%20b&amp;c\\">hunter</b> <i'],
  ["beginnings of secrets", "hunter2-hunter2-<b hunter2-%68unter2- "],
])("the time of a redaction is linear in %s and the number of secrets", (_, part) => {
  const { charAt } = String.prototype;
  let reads = 0;
  const workOf = (length: number, secrets: number) => {
    const { redact } = knowing(
      ...Array.from({ length: secrets }, (_, index) => `hunter2-and-more-${index}`),
    );
    reads = 0;
    redact(part.repeat(length));
    return reads;
  };
  // A mock would keep each of its calls.
  String.prototype.charAt = function counted(this: string, at: number) {
    reads += 1;
    return charAt.call(this, at);
  };
  try {
    expect(workOf(400, 1)).toBeLessThan(2.1 * workOf(200, 1));
    expect(workOf(20, 80)).toBeLessThan(2.1 * workOf(20, 40));
    // A character is read once, and those that may stand for others a few times more.
    expect(workOf(200, 1)).toBeLessThan(200 * part.length * 30);
  } finally {
    String.prototype.charAt = charAt;
  }
});

test("a second redaction leaves a redacted message unchanged", () => {
  const { redact, redactOwn } = knowing("secret", "hunter22");
  expect(redactOwn(redact("my hunter22"))).toBe("my [secret]");
});
