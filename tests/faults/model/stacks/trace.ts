import { parseUrn } from "../../../../provider/names";
import type { Properties } from "../../../support/adapters/handlers";
import type { Sent } from "./api";
import type { Command } from "./command";
import type { UpSpec } from "./scenario";
import type { Side } from "./side";
import type { Declared } from "./state";

/** A command of a failing history in one line: program, outcome, steps and requests. */
export function describeUp(
  { stack, program }: Side,
  { refresh, lags, parallel }: UpSpec,
  { result, schedule }: Command,
  requests: readonly Sent[],
): string {
  const command = `${stack.name}${refresh ? " --refresh" : ""} -p ${parallel}${lags ? ", old reads" : ""}`;
  const outcome = schedule.isDead() ? "DIED" : result.errors.length > 0 ? `FAILED (${result.errors})` : "ok";
  const steps = [...result.actions].map(([name, action]) => `${nameOf(name)}: ${action}`);
  const sent = requests.map(({ method, serviceId, body }) =>
    method === "GET" ? `GET ${shortId(serviceId)}` : `${method} ${shortId(serviceId)} ${shortText(body)}`,
  );
  return [
    `${command}: ${outcome}`,
    ...program.map((declared) => `  ${describeDeclared(declared)}`),
    `  steps: ${steps.join(", ")}`,
    ...sent.map((request) => `  ${request}`),
  ].join("\n  ");
}

export function describeDeclared({
  name,
  alias,
  isInComponent,
  replace,
  ignoreChanges = [],
  isNoTarget,
  args,
  serviceFrom,
  after,
}: Declared) {
  const options = [
    alias && `alias ${alias}`,
    isInComponent && "in a component",
    replace && `--replace, ${replace}`,
    ignoreChanges.length > 0 && "ignoreChanges",
    isNoTarget && "no target",
    after.length > 0 && `after ${after}`,
  ].filter(Boolean);
  return `${name} of ${shortId(String(args.serviceId ?? args.existingServiceId ?? serviceFrom ?? "new"))} ${shortText(args)} ${options.join(", ")}`;
}

const nameOf = (name: string) => (name.startsWith("delete ") ? `${parseUrn(name.slice(7)).name} left` : name);
const shortId = (id: string) => (id.startsWith("a1b2c3d4-") ? `S${id.slice(12, 13)}` : id.slice(0, 4));

function shortText({ serviceId, existingServiceId, ...rest }: Properties): string {
  return JSON.stringify(rest)
    .replaceAll(/"(source|description|add|remove)":|"/g, "$1 ")
    .replaceAll(/source |description /g, "");
}
