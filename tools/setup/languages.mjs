import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { versionFolder } from "./engine.mjs";
import { goBuild, goModule } from "./go.mjs";
import { withLock } from "./lock.mjs";
import { versions } from "./versions.mjs";

/** The programs of language hosts in the last releases that are published as modules. */
const HOSTS = {
  yaml: { program: "cmd/pulumi-language-yaml" },
  python: {
    program: "python/cmd/pulumi-language-python",
    script: "python/cmd/pulumi-language-python-exec",
  },
  go: { program: "go/pulumi-language-go" },
};

/**
 * Makes sure that the engine has its hosts for YAML, Python and Go. Pulumi brings them along; for an engine that was
 * built from Go modules they are built beside it. Returns, by language, why there is none.
 */
export async function ensureLanguageHosts(engine) {
  const missing = {};
  for (const [language, host] of Object.entries(HOSTS)) {
    try {
      if (!isThere(engine, host))
        await withLock(versionFolder(), () => isThere(engine, host) || install(engine, language));
    } catch (error) {
      missing[language] =
        `No language host for ${language}: ${error.message}\nTo get it, install Pulumi, or Go ${versions.go} or newer and run \`npm run engine -- --languages\`.`;
    }
  }
  return missing;
}

const isThere = (engine, { program }) =>
  existsSync(join(engine, basename(program) + (process.platform === "win32" ? ".exe" : "")));

/** Builds a host in a temporary folder first: an interrupted build is never taken for a complete one. */
async function install(engine, language) {
  const { program, script } = HOSTS[language];
  if (engine !== join(versionFolder(), "bin")) throw new Error(`the Pulumi in ${engine} comes without it.`);
  const unfinished = `${versionFolder()}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  try {
    const source = await goModule(versions.languageHosts[language], unfinished);
    await goBuild(`./${program}`, source, unfinished);
    // The program comes last: it is what tells that a host is there.
    if (script !== undefined) {
      copyFileSync(join(source, script), join(unfinished, basename(script)));
      chmodSync(join(unfinished, basename(script)), 0o755);
      renameSync(join(unfinished, basename(script)), join(engine, basename(script)));
    }
    for (const file of readdirSync(unfinished)) renameSync(join(unfinished, file), join(engine, file));
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}
