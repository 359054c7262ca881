import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf } from "../../programs/support/markdown";
import { root } from "../../support/root";
import { fixedParts, isSentence, textsInSources } from "./support/messages";

/** docs/errors.md has every message of the provider, and no other. */

const texts = textsInSources();
const blocks = blocksOf("docs/errors.md").filter(({ language }) => language === "text");
const ofPulumi = (directive: string | undefined) => directive === "a message of Pulumi";
const linesOf = (pulumi: boolean) =>
  blocks
    .filter(({ directive }) => ofPulumi(directive) === pulumi)
    .flatMap(({ text }) => text.split("\n"))
    .filter((line) => line !== "");

test("each message of the provider is on the page", () => {
  const folder = join(root, "docs/reference");
  const pages = readdirSync(folder).filter((name) => name.endsWith(".md"));
  // The tables' texts about arguments are on reference pages.
  const reference = pages.flatMap((name) => readFileSync(join(folder, name), "utf8").split(/[|\n]/));
  const lines = linesOf(false);
  const isOnPage = (text: string) => lines.some((line) => hasInOrder(line, fixedParts(text)));
  const isDocumentation = (text: string) => reference.some((cell) => hasInOrder(cell, fixedParts(text)));
  const messages = texts.filter((text) => isSentence(text) && !isDocumentation(text));
  expect(messages.length).toBeGreaterThan(90);
  expect(messages.filter((text) => !isOnPage(text))).toEqual([]);
});

test("each message on the page is one of the provider", () => {
  const sources = texts.map((text) => fixedParts(text).join("…"));
  // The page names the one type of resource that the stack can create.
  const general = (part: string) => fixedParts(part.replace(/\bservice(?=s?\b)|existingServiceId/g, "…")).join("…");
  const isInSources = (part: string) => sources.some((text) => text.includes(part) || text.includes(general(part)));
  const unknown = linesOf(false).flatMap((line) =>
    fixedParts(line)
      .map(withoutPunctuation)
      .filter((part) => !isInSources(part)),
  );
  expect(unknown).toEqual([]);
});

test("each message of Pulumi on the page is one that a test expects", () => {
  const files = readdirSync(join(root, "tests"), { recursive: true, encoding: "utf8" });
  const tests = files
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readFileSync(join(root, "tests", name), "utf8"));
  const lines = linesOf(true);
  expect(lines.length).toBeGreaterThan(3);
  const parts = lines.flatMap(fixedParts).map(withoutPunctuation);
  expect(parts.filter((part) => !tests.some((text) => text.includes(part)))).toEqual([]);
});

function hasInOrder(text: string, parts: readonly string[]): boolean {
  let from = 0;
  for (const part of parts) {
    const found = text.indexOf(part, from);
    if (found < 0) return false;
    from = found + part.length;
  }
  return true;
}

/** Between two messages that follow each other, punctuation belongs to neither. */
function withoutPunctuation(part: string): string {
  return part.replace(/^[.,;:\s]+|[.,;:\s]+$/g, "");
}
