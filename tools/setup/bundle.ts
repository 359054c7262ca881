// Bundles the native plugin into the folder that the npm package carries and that archives are made of: a launcher
// that the engine starts, and the plugin with all its dependencies in one file.
import { cpSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Metafile, type Plugin } from "esbuild";
import { engines } from "../../provider/package.json";
import { type Manifest, manifestOf, root, textOf } from "../support/repository";

const launcher = join(root, "provider/hosts/plugin/launcher");

/** The plugin with its dependencies. */
export const CODE = "plugin.cjs";
export const LICENSES = "LICENSES.txt";
const bundle = join(root, "provider/native-plugin");
export const pluginCode = join(bundle, CODE);

/** The inputs of a bundle. The build info of tsc stands for the sources. */
const INPUTS = [
  "facts/dist/tsconfig.tsbuildinfo",
  "provider/dist/tsconfig.tsbuildinfo",
  "provider/package.json",
  "package-lock.json",
];

export function isBundleFresh(): boolean {
  if (!existsSync(pluginCode)) return false;
  const made = statSync(pluginCode).mtimeMs;
  const launchers = readdirSync(launcher).map((name) => join(launcher, name));
  const inputs = [...INPUTS.map((name) => join(root, name)), ...launchers, __filename];
  return inputs.every((path) => statSync(path).mtimeMs <= made);
}

export async function bundlePlugin(folder = bundle): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  cpSync(launcher, folder, { recursive: true });
  const { metafile, outputFiles } = await bundleCode();
  writeFileSync(join(folder, LICENSES), licenses(foldersIn(metafile)));
  // Last: while it is missing, the bundle is not complete.
  writeFileSync(join(folder, CODE), outputFiles[0]?.contents ?? "");
}

/** The packages whose code is in the bundle. */
export async function bundledPackages(): Promise<Manifest[]> {
  return foldersIn((await bundleCode()).metafile).map(manifestOf);
}

function bundleCode() {
  return build({
    absWorkingDir: root,
    entryPoints: ["provider/hosts/plugin/main.ts"],
    write: false,
    bundle: true,
    minify: true,
    format: "cjs",
    platform: "node",
    target: `node${/\d+/.exec(engines.node)}`,
    legalComments: "none",
    logLevel: "error",
    metafile: true,
    plugins: [englishOnly],
  });
}

/** zod's messages in fifty other languages would be a fifth of the bundle. */
const englishOnly: Plugin = {
  name: "english-only",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    })),
};

function foldersIn({ inputs }: Metafile): string[] {
  const folder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;
  return [...new Set(Object.keys(inputs).flatMap((file) => folder.exec(file)?.[1] ?? []))].sort();
}

/** The licenses of bundled packages: most of them ask to be passed on with the code. */
function licenses(folders: readonly string[]): string {
  return folders
    .map((folder) => {
      const { name, version, license } = manifestOf(folder);
      const texts = readdirSync(join(root, folder)).filter((file) => /^(licen[cs]e|notice)/i.test(file));
      const all = texts.map((file) => textOf(folder, file).trim());
      return [`${name} ${version} (${license})`, ...all].join("\n\n");
    })
    .join(`\n\n${"-".repeat(80)}\n\n`);
}
