// Bundles the native plugin into the folder that the npm package carries and that archives are made
// of: a launcher that the engine starts, and the plugin with all its dependencies in one file. The
// policy pack becomes one file that the engine starts itself.
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";
import { version } from "../../policies/package.json";
import { engines } from "../../provider/package.json";
import { manifestOf, root, textOf } from "../support/repository";

const launcher = join(root, "provider/hosts/plugin/launcher");

/** The plugin with its dependencies. */
export const CODE = "plugin.cjs";
export const LICENSES = "LICENSES.txt";
const pluginFolder = join(root, "provider/native-plugin");
export const pluginCode = join(pluginFolder, CODE);
/** The policy pack, executable. */
export const packCode = join(root, "policies/clouddb-policies");

/** The inputs of the bundles. tsc's build info represents the sources. */
const INPUTS = [
  "facts/dist/tsconfig.tsbuildinfo",
  "provider/dist/tsconfig.tsbuildinfo",
  "provider/package.json",
  "policies/dist/tsconfig.tsbuildinfo",
  "policies/package.json",
  "package-lock.json",
];

export function areBundlesFresh(): boolean {
  if (!existsSync(pluginCode) || !existsSync(packCode)) return false;
  const made = Math.min(statSync(pluginCode).mtimeMs, statSync(packCode).mtimeMs);
  const launchers = readdirSync(launcher).map((name) => join(launcher, name));
  const inputs = [...INPUTS.map((name) => join(root, name)), ...launchers, __filename];
  return inputs.every((path) => statSync(path).mtimeMs <= made);
}

export async function bundle(): Promise<void> {
  await Promise.all([bundlePlugin(), bundlePack()]);
}

export async function bundlePlugin(folder = pluginFolder): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  cpSync(launcher, folder, { recursive: true });
  const { metafile, outputFiles } = await bundleCode("provider/hosts/plugin/main.ts");
  writeFileSync(join(folder, LICENSES), licenses(foldersIn(metafile)));
  // Written last, so that a bundle without this file counts as incomplete.
  writeFileSync(join(folder, CODE), outputFiles[0]?.contents ?? "");
}

async function bundlePack(): Promise<void> {
  const { metafile, outputFiles } = await bundleCode("policies/pack.ts", [
    withoutClosures,
    inOneFile,
  ]);
  const notes = licenses(foldersIn(metafile)).replaceAll("*/", "* /");
  rmSync(packCode, { force: true });
  writeFileSync(packCode, `#!/usr/bin/env node\n${outputFiles[0]?.text}\n/*\n${notes}\n*/\n`, {
    mode: 0o755,
  });
}

/** Bundles the language host for an engine built from Go modules. */
export async function bundleLanguageHost(file: string): Promise<void> {
  const { outputFiles } = await bundleCode("tools/setup/language-host.ts");
  writeFileSync(file, `#!/usr/bin/env node\n${outputFiles[0]?.text}`, { mode: 0o755 });
}

function bundleCode(entryPoint: string, plugins: readonly Plugin[] = []) {
  return build({
    absWorkingDir: root,
    entryPoints: [entryPoint],
    write: false,
    bundle: true,
    minify: true,
    format: "cjs",
    platform: "node",
    target: `node${/\d+/.exec(engines.node)}`,
    legalComments: "none",
    logLevel: "error",
    metafile: true,
    plugins: [englishOnly, ...plugins],
  });
}

/** Excludes zod's messages in fifty other languages, a fifth of the bundle. */
const englishOnly: Plugin = {
  name: "english-only",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    })),
};

/**
 * Excludes a compiler and npm, which Pulumi's SDK loads for dynamic providers, unused in a policy
 * pack.
 */
const withoutClosures: Plugin = {
  name: "without-closures",
  setup: ({ onResolve, onLoad }) => {
    onResolve(
      { filter: /^(typescript|@npmcli\/arborist|\.\/automation)$/ },
      ({ path, importer }) =>
        /[\\/]@pulumi[\\/]pulumi[\\/]/.test(importer) ? { path, namespace: "without" } : undefined,
    );
    onLoad({ filter: /./, namespace: "without" }, () => ({ contents: "" }));
  },
};

/** Replaces the paths of files that the pack reads: its version, and the policy SDK's protocol. */
const inOneFile: Plugin = {
  name: "in-one-file",
  setup: ({ onLoad }) => {
    const replace = (file: RegExp, place: string, by: string) =>
      onLoad({ filter: file }, ({ path }) => {
        const text = readFileSync(path, "utf8");
        if (!text.includes(place)) throw new Error(`${path} has no ${place}.`);
        return { contents: text.replace(place, by), loader: "default" };
      });
    replace(
      /[\\/]policy[\\/]policy\.js$/,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the SDK's own text
      "require(`${cwd}/package.json`)",
      JSON.stringify({ version }),
    );
    replace(
      /[\\/]core[\\/]pulumi-internals\.ts$/,
      'createRequire(require.resolve("@pulumi/policy"))',
      '() => require("@pulumi/pulumi/proto/analyzer_grpc_pb")',
    );
  },
};

function foldersIn({ inputs }: Metafile): string[] {
  const folder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;
  return [...new Set(Object.keys(inputs).flatMap((file) => folder.exec(file)?.[1] ?? []))].sort();
}

/** The licenses of bundled packages, most of which require a copy. */
function licenses(folders: readonly string[]): string {
  return folders
    .map((folder) => {
      const { name, version, license } = manifestOf(folder);
      const texts = readdirSync(join(root, folder)).filter((file) =>
        /^(licen[cs]e|notice)/i.test(file),
      );
      const all = texts.map((file) => textOf(folder, file).trim());
      return [`${name} ${version} (${license})`, ...all].join("\n\n");
    })
    .join(`\n\n${"-".repeat(80)}\n\n`);
}
