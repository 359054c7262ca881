import * as pulumi from "@pulumi/pulumi";
import * as stack from "@pulumi/pulumi/runtime/stack";
import { clock } from "../../../provider/hosts/process";
import * as programFunctions from "../../../provider/index";
import { ADAPTER, type Properties } from "./handlers";
import { startNativeEngine } from "./native";
import { plain } from "./values";

/** Starts a run of a program, which has its own cache. Users see its debug lines with `--debug`. */
export const startProgram = { dynamic: startDynamicProgram, native: startNativeProgram }[ADAPTER];

/** The package's own functions, which the program's process runs. */
function startDynamicProgram() {
  const messages: string[] = [];
  const debugLines: string[] = [];
  jest.spyOn(stack, "getStackResource").mockReturnValue({} as never);
  for (const [level, lines] of [
    ["debug", debugLines],
    ["info", messages],
    ["warn", messages],
  ] as const) {
    jest.spyOn(pulumi.log, level).mockImplementation(async (...[line]) => void lines.push(line));
  }
  const functions = programFunctions as unknown as Record<
    string,
    (args: Properties) => Promise<Properties>
  >;
  return {
    messages,
    debugLines,
    call: async (name: string, args: Properties): Promise<Properties> =>
      functions[name]?.(args).catch((error: unknown) => {
        // Pulumi prints every other error with a stack trace.
        expect(pulumi.RunError.isInstance(error)).toBe(true);
        throw error;
      }) ?? {},
  };
}

function startNativeProgram() {
  const { engine, messages, debugLines } = startNativeEngine({
    environment: process.env,
    clock,
    random: () => 1,
  });
  return {
    messages,
    debugLines,
    call: async (name: string, args: Properties) => plain(await engine.invoke(name, args)),
  };
}
