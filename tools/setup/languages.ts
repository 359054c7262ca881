import { chmodSync, copyFileSync, existsSync, readdirSync, renameSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import versions from "../../versions.json";
import { withLock } from "../support/lock";
import { installing, versionFolder } from "./engine";
import { goBuild, goModule } from "./go";
import { ensureJava, ensurePython, generateSdks } from "./sdks";

/** Reasons why this machine cannot run a language, by language. */
export type MissingLanguages = { [Name in Language]?: string };

interface Host {
  readonly program: string;
  readonly script?: string;
}

/** The language hosts' programs in the last releases published as modules. */
const HOSTS = {
  yaml: { program: "cmd/pulumi-language-yaml" },
  python: {
    program: "python/cmd/pulumi-language-python",
    script: "python/cmd/pulumi-language-python-exec",
  },
  go: { program: "go/pulumi-language-go" },
  java: { program: "cmd/pulumi-language-java" },
} satisfies Readonly<Record<string, Host>>;
type Language = keyof typeof HOSTS;
const all = Object.keys(HOSTS) as Language[];

/**
 * Installs missing hosts for YAML, Python, Go and Java. Pulumi's releases include them; for an
 * engine built from Go modules, they are built as well. Returns the reason for each missing host.
 */
export async function ensureLanguageHosts(
  engine: string,
  languages: readonly Language[] = all,
): Promise<MissingLanguages> {
  const missing: MissingLanguages = {};
  for (const language of languages) {
    const isThere = () => isInstalled(engine, HOSTS[language]);
    try {
      if (!isThere())
        await withLock(versionFolder(), async () => isThere() || (await install(engine, language)));
    } catch (error) {
      missing[language] =
        `No language host for ${language}: ${(error as Error).message}\nTo get it, install Pulumi, or Go ${versions.go} or newer and run \`npm run engine -- --languages\`.`;
    }
  }
  return missing;
}

const isInstalled = (engine: string, { program }: Host): boolean =>
  existsSync(join(engine, basename(program) + (process.platform === "win32" ? ".exe" : "")));

async function install(engine: string, language: Language): Promise<void> {
  const { program, script }: Host = HOSTS[language];
  if (engine !== join(versionFolder(), "bin"))
    throw new Error(`the Pulumi in ${engine} comes without it.`);
  await installing(async (unfinished) => {
    const source = await goModule(versions.languageHosts[language], unfinished);
    await goBuild(`./${program}`, source, unfinished);
    // Copied last, so that an existing program means a complete host.
    if (script !== undefined) {
      copyFileSync(join(source, script), join(unfinished, basename(script)));
      chmodSync(join(unfinished, basename(script)), 0o755);
      renameSync(join(unfinished, basename(script)), join(engine, basename(script)));
    }
    for (const file of readdirSync(unfinished))
      renameSync(join(unfinished, file), join(engine, file));
  });
}

/**
 * Sets up languages, by default YAML, Python, Go and Java; returns variables for tests. Tests say in their names what
 * this machine is missing.
 */
export async function ensureLanguages(
  engine: string,
  languages: readonly Language[] = all,
): Promise<NodeJS.ProcessEnv> {
  const missing: MissingLanguages = await ensureLanguageHosts(engine, languages);
  const variables: NodeJS.ProcessEnv = {};
  try {
    await generateSdks();
  } catch (error) {
    const reason = `SDKs cannot be generated: ${(error as Error).message}\nInstall Go ${versions.go} or newer.`;
    for (const language of ["python", "go", "java"] as const) missing[language] ??= reason;
  }
  try {
    if (missing.python === undefined) {
      variables.PATH = [engine, await ensurePython(), process.env.PATH].join(delimiter);
    }
  } catch (error) {
    missing.python = `Python cannot be set up: ${(error as Error).message}\nInstall Python ${versions.python} or newer, and make sure that it reaches PyPI.`;
  }
  try {
    if (languages.includes("java") && missing.java === undefined) {
      variables.MAVEN_OPTS = `${process.env.MAVEN_OPTS ?? ""} ${await ensureJava()}`;
    }
  } catch (error) {
    missing.java = `The SDK for Java cannot be built: ${(error as Error).message}\nInstall a JDK, Java ${versions.java} or newer, and Maven, and make sure that it reaches Maven Central.`;
  }
  for (const reason of Object.values(missing)) process.stderr.write(`${reason}\n`);
  return { ...variables, CLOUDDB_MISSING_LANGUAGES: JSON.stringify(missing) };
}
