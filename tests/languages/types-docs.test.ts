import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { testHome } from "../engine/support/stack";
import { root } from "../support/root";
import { inLanguage, programsIn, withNodeSdk } from "./support";

/** The documentation in the generated SDKs, as editors show it: examples and names in the language of the program. */

const read = (path: string) => readFileSync(join(root, "sdks", path), "utf8");
/** The languages of fenced code. */
const fences = (text: string) => [...new Set([...text.matchAll(/```([a-z]+)$/gm)].map(([, language]) => language))];

const FILES: Readonly<Record<string, readonly [language: string, files: readonly string[], spelling: string]>> = {
  python: ["python", ["service.py", "get_service.py", "provider.py"], "Must not exceed max_replica_memory_gb."],
  go: ["go", ["service.go", "getService.go", "provider.go"], "Must not exceed MaxReplicaMemoryGb."],
  dotnet: ["csharp", ["Service.cs", "GetService.cs", "Provider.cs"], "Must not exceed MaxReplicaMemoryGb."],
  nodejs: ["typescript", ["service.ts", "getService.ts", "provider.ts"], "Must not exceed maxReplicaMemoryGb."],
};
const FOLDERS: Readonly<Record<string, string>> = { python: "python/pulumi_clouddb", go: "go/clouddb" };

function documents(sdk: keyof typeof FILES): void {
  test(`${sdk}: examples in this language alone, and names in its spelling`, () => {
    const [language, files, spelling] = FILES[sdk] ?? ["", [], ""];
    const texts = files.map((file) => read(join(FOLDERS[sdk] ?? sdk, file)));
    expect(texts.map(fences)).toEqual(files.map(() => [language]));
    expect(texts.join("")).not.toContain("{{%");
    expect(texts[0]).toContain(spelling);
    // Names of settings in configurations are the same in each language.
    expect(texts[0]).toContain("Defaults to clouddb:organizationId (CLOUDDB_ORGANIZATION_ID).");
  });
}

inLanguage("python", () => documents("python"));
inLanguage("go", () => documents("go"));
withNodeSdk(() => {
  documents("nodejs");
  documents("dotnet");

  test("the documentation of functions has names in each language's spelling", () => {
    const settings = { "python/pulumi_clouddb": "get_alert", nodejs: "getAlert", dotnet: "GetAlert" };
    for (const [folder, name] of Object.entries(settings)) {
      const [file] = ["provider.py", "provider.ts", "Provider.cs"].filter((each) =>
        existsSync(join(root, "sdks", folder, each)),
      );
      expect(read(join(folder, String(file)))).toContain(`Only \`${name}\` and`);
    }
  });

  test("dotnet: the package has the documentation, and says whose it is", () => {
    const project = read("dotnet/Pulumi.CloudDb.csproj");
    expect(project).toContain("<PropertyGroup>\n    <GenerateDocumentationFile>true<");
    expect(project).toContain("<TargetFramework>net8.0<");
    expect(project).toContain("<Authors>pulumi-clouddb<");
    expect(project).not.toContain("Pulumi Corp");
  });
});

const pom = join(root, "examples/quickstart-java/pom.xml");
(existsSync(pom) ? describe : describe.skip)("java", () => {
  test("the examples compile", () => {
    const project = mkdtempSync(join(testHome(), "java-"));
    copyFileSync(pom, join(project, "pom.xml"));
    for (const [index, { text }] of programsIn("docs/reference", "java").entries()) {
      const folder = join(project, `src/main/java/example${index}`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "App.java"), text.replace("package generated_program;", `package example${index};`));
    }
    execFileSync("mvn", ["--batch-mode", "--quiet", "compile"], { cwd: project, stdio: "pipe" });
  });
});
