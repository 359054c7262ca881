import { createRequire } from "node:module";
import { join } from "node:path";
import { coded } from "../errors";
import { dynamicType, ENTRY, entryText, nativeType, RESOURCE_NAME, RUNTIME, SECRETS, URN } from "../names";
import type { ClassAdapter } from "./class-description";
import { DYNAMIC } from "./provider-option";
import * as pulumi from "./pulumi";
import { isMocked, programError } from "./pulumi-internals";
import { secretPlaces } from "./secret-places";

/** Resources that Pulumi's dynamic provider runs: with each, the state stores where their code is. */
export const dynamicAdapter: ClassAdapter = {
  ...DYNAMIC,
  typeOf: dynamicType,
  otherTypeOf: nativeType,
  isNative: false,
  checkWarns: false,
  propertiesOf(className, resourceName, args, { parent }) {
    assertRuntimeResolves();
    return {
      [RESOURCE_NAME]: resourceName,
      [URN]: urnOf(resourceName, dynamicType(className), parent),
      [SECRETS]: secretPlaces(args),
      [ENTRY]: entryText(className),
    };
  },
  options: {},
};

let resolves = false;

/** The engine loads the runtime from the program's folder, wherever this class was loaded from. */
function assertRuntimeResolves(): void {
  if (resolves || isMocked()) return;
  try {
    createRequire(join(process.cwd(), "program.js")).resolve(RUNTIME);
    resolves = true;
  } catch {
    throw programError(
      coded(
        "CDB2006",
        `Cannot find pulumi-clouddb from ${process.cwd()}, the working directory of the Pulumi program: install it there, or, in an inline program of the Automation API, call \`process.chdir(__dirname)\` first.`,
      ),
    );
  }
}

/** A promise, because an output of the parent's URN depends on all resources of that component, this one included. */
function urnOf(name: string, type: string, parent: pulumi.Resource | undefined): Promise<string> {
  return new Promise((resolve) => pulumi.createUrn(name, type, parent).apply(resolve));
}
