// Bundles the native plugin into the folder that the npm package carries and that archives are made of: a launcher
// that the engine starts, and the plugin with all its dependencies in one file.
import { cpSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { engines } from "../../provider/package.json";
import { manifestOf, root, textOf } from "../support/repository";

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
  const { metafile, outputFiles } = await build({
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
  writeFileSync(join(folder, LICENSES), licenses(Object.keys(metafile.inputs)));
  // Last: while it is missing, the bundle is not complete.
  writeFileSync(join(folder, CODE), outputFiles[0]?.contents ?? "");
}

/** zod's messages in fifty other languages would be a fifth of the bundle. */
const englishOnly: Plugin = {
  name: "english-only",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    })),
};

/** The licenses of the packages whose code is in the bundle: most of them ask to be passed on with it. */
function licenses(files: readonly string[]): string {
  const folders = files.flatMap((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  return [...new Set(folders)]
    .sort()
    .map((folder) => {
      const { name, version, license } = manifestOf(folder);
      const texts = readdirSync(join(root, folder)).filter((file) => /^(licen[cs]e|notice)/i.test(file));
      const all = texts.map((file) => textOf(folder, file).trim());
      return [`${name} ${version} (${license})`, ...all].join("\n\n");
    })
    .join(`\n\n${"-".repeat(80)}\n\n`);
}
