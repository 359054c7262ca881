import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { descendants, end, newStack, testHome } from "../engine/support/stack";
import type { Fault } from "../faults/model/schedule";
import type { Gate, Server } from "../faults/model/server";
import { createTestApi } from "../support/api";
import { codesIn, type Observation, type ResolvedStep } from "./history";

/** Histories on the real CLI, from the packed packages. */

/** A project with two empty stacks, which each history copies. */
export async function makeProject(server: Server): Promise<string> {
  const { folder, pulumi } = await newStack(createTestApi(server));
  await pulumi("stack", "init", "us");
  return folder;
}

/** Runs the steps that the twin has resolved. */
export async function runOnEngine(
  server: Server,
  project: string,
  steps: readonly ResolvedStep[],
  variables: Readonly<Record<string, string>>,
): Promise<Observation[]> {
  await server.reset();
  const folder = mkdtempSync(join(testHome(), "project-"));
  const stack = await newStack(createTestApi(server), "", folder);
  cpSync(join(project, "state"), join(folder, "state"), { recursive: true });
  cpSync(join(project, "Pulumi.us.yaml"), join(folder, "Pulumi.us.yaml"));
  cpSync(join(__dirname, "program.cjs"), join(folder, "program.cjs"));
  stack.program('require("./program.cjs")(clouddb);');
  stack.environment({ ...variables, PULUMI_DEBUG_COMMANDS: "true" });
  const observations: Observation[] = [];
  for (const [index, step] of steps.entries()) {
    if (step.edit) await server.change(...step.edit);
    const program = { isChained: step.parallel === 1, resources: Object.values(step.program) };
    writeFileSync(join(folder, `${step.stack}.json`), JSON.stringify(program));
    const events = join(folder, `events-${index}.ndjson`);
    server.received();
    const run = stack.started(...commandLine(step), "--stack", step.stack, "--event-log", events);
    const kill = (isPlugin: boolean) => {
      const all = descendants(run.pid);
      if (isPlugin) return end(all.filter(({ command }) => PLUGIN.test(command)));
      process.kill(run.pid, "SIGKILL");
      end(all);
    };
    server.useGate(step.isPreview ? undefined : gateFor(server, step.fault, kill));
    const { code, output } = await run.ended;
    server.useGate(undefined);
    server.faults();
    // A dead engine leaves its lock.
    rmSync(join(folder, "state/.pulumi/locks"), { recursive: true, force: true });
    observations.push({
      hasFailed: code !== 0,
      operations: operationsIn(events),
      requests: server.received(),
      codes: codesIn(output),
      state: stateIn(join(folder, `state/.pulumi/stacks/test/${step.stack}.json`)),
      services: server.organization().services,
      output,
    });
  }
  rmSync(folder, { recursive: true });
  return observations;
}

function commandLine(step: ResolvedStep): string[] {
  if (step.isPreview) return ["preview"];
  const common = ["--yes", "--skip-preview", "--parallel", String(step.parallel)];
  if (step.command === "refresh") return ["refresh", ...common];
  return [
    "up",
    ...common,
    ...(step.command === "up" ? [] : ["--refresh"]),
    ...(step.continuesOnError ? ["--continue-on-error"] : []),
    ...(step.targetUrn ? ["--target", step.targetUrn] : []),
    ...(step.replacedUrn ? ["--replace", step.replacedUrn] : []),
  ];
}

const PLUGIN = /native-plugin|pulumi-resource-pulumi-nodejs|cmd\/dynamic-provider/;

/**
 * Hits requests with a fault, or kills the plugin, or the command and all its processes, at one.
 */
function gateFor(
  server: Server,
  fault: Fault | undefined,
  kill: (isPlugin: boolean) => void,
): Gate {
  let { skipped, times } = fault ?? { skipped: 0, times: 0 };
  let isDead = false;
  return async (method) => {
    if (isDead) return "lost";
    server.faults();
    const isHit = fault !== undefined && (fault.method ?? method) === method;
    if (!isHit || times === 0 || skipped-- > 0) return;
    times -= 1;
    const { ending } = fault;
    if (typeof ending === "object") return server.faults({ times: 1, effect: ending }) as undefined;
    isDead = true;
    const isPlugin = ending.startsWith("plugin");
    if (ending.endsWith("after")) return async () => kill(isPlugin);
    kill(isPlugin);
    return "lost";
  };
}

interface EventOfResource {
  readonly resourcePreEvent?: { readonly metadata: { readonly op: string; readonly urn: string } };
}

function operationsIn(file: string): string[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.flatMap((line) => {
    const { resourcePreEvent } = parse(line);
    const { urn = "", op } = resourcePreEvent?.metadata ?? {};
    return isOurs(urn) ? [`${urn} ${op}`] : [];
  });
}

/** The last line of a dead engine may be cut off. */
function parse(line: string): EventOfResource {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}

const isOurs = (urn: string) => urn !== "" && !/:pulumi:(providers|pulumi)[:]/.test(urn);

function stateIn(file: string): Observation["state"] {
  const { checkpoint } = JSON.parse(readFileSync(file, "utf8"));
  const resources = (checkpoint.latest?.resources ?? []) as (Observation["state"][number] & {
    readonly urn: string;
    readonly initErrors?: string[];
    readonly delete?: boolean;
    readonly pendingReplacement?: boolean;
  })[];
  return resources
    .filter(({ urn }) => isOurs(urn))
    .map(({ urn, id, inputs, outputs, protect, retainOnDelete, ...rest }) => ({
      urn,
      ...{ id, inputs, outputs, protect, retainOnDelete },
      isPartial: (rest.initErrors ?? []).length > 0,
      isToDelete: rest.delete,
      isDeleted: rest.pendingReplacement,
    })) as Observation["state"];
}
