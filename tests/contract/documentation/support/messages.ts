import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root } from "../../../support/root";

/** The texts in the provider's sources, from which its messages are made. `…` stands for a value. */

const provider = join(root, "provider");
/** Also without what the build makes of others. */
const IGNORED = /\.test\.ts$|(^|\/)(dist|node_modules|native-plugin)\/|^core\/script\.ts$/;

/** All texts of the sources. Parts that are joined with `+` are one text. */
export function textsInSources(): string[] {
  const names = readdirSync(provider, { recursive: true, encoding: "utf8" });
  return names.filter((name) => /\.(ts|cjs)$/.test(name) && !IGNORED.test(name)).flatMap(textsIn);
}

/** True for a sentence or a part of one: names, keys and paths have fewer words. */
export function isSentence(text: string): boolean {
  return text.split(/\s+/).filter((word) => /[a-z]{2}/.test(word)).length >= 3;
}

/** The constant parts of a text. */
export function fixedParts(text: string): string[] {
  return text
    .split("…")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function textsIn(name: string): string[] {
  const source = ts.createSourceFile(name, readFileSync(join(provider, name), "utf8"), ts.ScriptTarget.ES2022, true);
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || isDocumentation(node)) return;
    const text = textOf(node);
    if (text !== undefined) texts.push(text);
    // The rest of a sum is part of its text; what a text includes may be one itself.
    const inner = isSum(node) && text !== undefined ? node.getChildren().flatMap((each) => each.getChildren()) : [node];
    for (const each of inner) ts.forEachChild(each, visit);
  };
  visit(source);
  return texts;
}

/** The text of a literal, a template or a sum of them. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("…");
  }
  if (!isSum(node)) return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined && right === undefined ? undefined : `${left ?? "…"}${right ?? "…"}`;
}

/** The `doc` of an argument, a rule or a setting. */
function isDocumentation(node: ts.Node): boolean {
  return ts.isPropertyAssignment(node) && node.name.getText() === "doc";
}

function isSum(node: ts.Node): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;
}
