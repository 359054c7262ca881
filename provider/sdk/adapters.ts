import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { coded } from "../errors";
import type { Properties } from "../fields";
import { NO_DEFAULT_PROVIDERS, noDefaultProvider } from "../mistakes";
import {
  DYNAMIC_PACKAGE,
  dynamicType,
  ENTRY,
  entryText,
  NATIVE_PACKAGE,
  nativeType,
  RESOURCE_NAME,
  RUNTIME,
  SECRETS,
  URN,
} from "../names";
import { secretPlaces } from "./arguments";
import {
  assertPlainOrganization,
  type FunctionOptions,
  RELEASE,
  warnOfUnknownKeys,
} from "./provider";
import * as pulumi from "./pulumi";
import { isMocked, programError, typeOf } from "./pulumi-internals";

/** An adapter's part of resource classes and functions. */
export type Adapter = typeof dynamicAdapter | typeof nativeAdapter;

/** The explicit provider of settings and requests; empty for the default provider. */
type Account = Pick<FunctionOptions, "provider">;

/**
 * The provider of a resource or function: its own or its parent's. A component may name it under
 * either adapter's package. The engine's error about a provider of the other adapter would name
 * neither.
 */
export function accountOf(
  adapter: Adapter,
  user: string,
  { provider, parent }: FunctionOptions,
): Account {
  // The engine finds a provider by its package, not by its key. Pulumi's SDK warns of a wrong key.
  const ownType = `pulumi:providers:${adapter.package}`;
  const misnamed = parent?.getProvider(dynamicType(""));
  const found =
    provider ??
    parent?.getProvider(adapter.typeOf("")) ??
    parent?.getProvider(nativeType("")) ??
    (misnamed && typeOf(misnamed) === ownType ? misnamed : undefined);
  if (!found) {
    assertPlainOrganization();
    warnOfUnknownKeys(adapter.isNative);
    return {};
  }
  if (typeOf(found) !== ownType) {
    throw programError(
      coded(
        "CDB2004",
        `The provider of ${user} must be a Provider imported from "${adapter.entry}",`,
        `like ${user} itself.`,
      ),
    );
  }
  return { provider: found };
}

/**
 * The provider of a function. Rejects a disabled default provider, which no transformation can
 * replace here.
 */
export function accountOfFunction(
  adapter: Adapter,
  user: string,
  options: FunctionOptions,
): Account {
  const account = accountOf(adapter, user, options);
  if (account.provider !== undefined) return account;
  const packages = ["*", NATIVE_PACKAGE, adapter.package];
  const problem = noDefaultProvider(user, pulumi.getConfig(NO_DEFAULT_PROVIDERS), packages);
  if (problem !== undefined) throw programError(problem);
  return account;
}

/** Sends a function's request from the program. */
type RunFunction = (
  name: string,
  args: Properties,
  account: Account,
  configuration: Properties | undefined,
  areSecret: boolean,
) => Promise<unknown>;

let runFunction: RunFunction;

/** Sets the code that runs functions in the program. */
export function runFunctionsWith(run: RunFunction): void {
  runFunction = run;
}

/** Pulumi's dynamic provider runs the resources. Their states refer to this package's code. */
export const dynamicAdapter = {
  /** The module that programs import. */
  entry: "pulumi-clouddb",
  /** The package of explicit providers. */
  package: DYNAMIC_PACKAGE,
  typeOf: dynamicType,
  /** The resource's type in the other adapter. */
  otherTypeOf: nativeType,
  /**
   * True if `import` and `customTimeouts` work, and checks report deprecated arguments with their
   * resource.
   */
  isNative: false,
  options: {},
  /** Additional properties for the engine, with marked secrets. */
  propertiesOf(
    className: string,
    resourceName: string,
    args: Properties,
    parent?: pulumi.Resource,
  ): Properties {
    assertRuntimeResolves();
    return {
      [RESOURCE_NAME]: resourceName,
      [URN]: urnOf(resourceName, dynamicType(className), parent),
      [SECRETS]: secretPlaces(args),
      [ENTRY]: entryText(className),
    };
  },
  run: (...call: Parameters<RunFunction>): Promise<unknown> => runFunction(...call),
};

/** The native plugin runs resources and functions. */
export const nativeAdapter = {
  entry: "pulumi-clouddb/native",
  package: NATIVE_PACKAGE,
  typeOf: nativeType,
  otherTypeOf: dynamicType,
  isNative: true,
  options: RELEASE,
  propertiesOf: () => ({}),
  run: (name: string, args: Properties, account: Account): Promise<unknown> =>
    pulumi.invoke(nativeType(name), args, { ...RELEASE, ...account }),
};

const PACKAGED =
  "The program that uses a packaged component cannot run its dynamic resources: import the classes of the component from pulumi-clouddb/native.";

let resolves = false;

/** Throws if the engine cannot load the runtime from the program's folder. */
function assertRuntimeResolves(): void {
  if (resolves || isMocked()) return;
  // A packaged component's process has no stack, and may run in the component's folder.
  const isPackaged = pulumi.getStackResource() === undefined;
  try {
    if (!isPackaged || !existsSync("PulumiPlugin.yaml")) {
      createRequire(join(process.cwd(), "program.js")).resolve(RUNTIME);
      resolves = true;
      return;
    }
  } catch {}
  if (isPackaged) throw programError(coded("CDB2006", PACKAGED));
  throw programError(
    coded(
      "CDB2006",
      `Cannot find pulumi-clouddb from ${process.cwd()}, the working directory of the Pulumi`,
      "program: install it there, or, in an inline program of the Automation API,",
      "call `process.chdir(__dirname)` first.",
    ),
  );
}

/**
 * A promise, because an output of the parent's URN would depend on all of its resources, including
 * this one.
 */
function urnOf(name: string, type: string, parent: pulumi.Resource | undefined): Promise<string> {
  return new Promise((resolve) => pulumi.createUrn(name, type, parent).apply(resolve));
}
