import { readFileSync } from "node:fs";
import { join } from "node:path";
import { asReleased } from "../../../tools/release/first-release";
import { root } from "../../support/root";
import { type Block, blocksIn } from "./markdown";

/** The first steps of a page, as they are once the packages are released. */
export function stepsAsReleased(page: string): Block[] {
  const [steps = ""] = asReleased(readFileSync(join(root, page), "utf8")).split("\n## Use the API\n");
  return blocksIn(page, steps);
}
