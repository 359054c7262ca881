import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expectFailure, expectOk, newStack, type Stack, simulated, testHome } from "../engine/support/stack";
import type { TestApi } from "../support/api";
import { inLanguage, requestsTo, writeProject } from "./support";

/** Policies and reports of a stack in YAML: resources of the native plugin are treated like those of TypeScript. */

type Resources = Readonly<Record<string, { readonly args: object; readonly options?: object; readonly type?: string }>>;

const OFFICE = { source: "203.0.113.0/24", description: "office" };
const BUILD = { source: "198.51.100.7", description: "build server" };
const SIZE = { region: "us-east-1", minReplicaMemoryGb: 8, maxReplicaMemoryGb: 32, numReplicas: 3 };

let api: TestApi;
let stack: Stack;

function declare(resources: Resources): void {
  const entries = Object.entries(resources).map(([name, { type = "Service", args, options = { protect: true } }]) => [
    name,
    { type: `clouddb:${type}`, properties: args, options },
  ]);
  writeProject(stack.folder, "yaml", { resources: Object.fromEntries(entries) });
}

function policies(settings: object): string[] {
  const file = join(stack.folder, "policies.json");
  writeFileSync(file, JSON.stringify(settings));
  const pack = join(testHome(), "node_modules/pulumi-clouddb-policies");
  return ["--policy-pack", pack, "--policy-pack-config", file];
}

/** The report on a preview, as its command writes it in CI. */
async function report(): Promise<string> {
  const file = join(stack.folder, "report.md");
  const command = join(testHome(), "node_modules/.bin/clouddb-report");
  await stack.command(command, "run", "--output", file, "--", "pulumi", "preview", "--non-interactive");
  return readFileSync(file, "utf8");
}

inLanguage("yaml", () => {
  beforeEach(async () => {
    api = await simulated();
    stack = await newStack(api);
  });

  test("policies: bounds, protection, and values that are not known yet", async () => {
    const strict = policies({ "memory-within-bounds": { maxGb: 16 }, "production-is-protected": { stacks: "dev" } });
    declare({
      analytics: { args: { ...SIZE, ipAccessList: [OFFICE] }, options: {} },
      reports: {
        args: {
          ...SIZE,
          // biome-ignore lint/suspicious/noTemplateCurlyInString: interpolation of Pulumi YAML
          ipAccessList: [{ source: "${analytics.createdAt}", description: "later" }, { source: "::/0" }],
        },
      },
      bare: { args: { region: "us-east-1" } },
    });
    const preview = await expectFailure(stack.preview(...strict));
    expect(preview).toContain("[mandatory]  memory-within-bounds  (clouddb:index:Service: analytics)");
    expect(preview).toContain("maxReplicaMemoryGb 32 GB is more than 16 GB, the setting maxGb");
    expect(preview).toContain('Service "analytics": it is not protected; set the resource option protect: true');
    expect(preview.match(/production-is-protected/g)).toHaveLength(1);
    expect(preview).toContain("::/0 in ipAccessList allows the whole internet");
    expect(preview).toMatch(/no-open-access.*an entry of ipAccessList is not known yet/);
    // An omitted argument is not an unknown one, although the preview cannot tell which value the API will choose.
    expect(preview).toContain('Service "bare": ipAccessList is not declared and its value is not known; declare it');
    expect(preview).not.toMatch(/can't run policy 'idle-saves-money'/);
    expect(await requestsTo(api)).toEqual([]);

    declare({ analytics: { args: { ...SIZE, maxReplicaMemoryGb: 16, ipAccessList: [OFFICE] } } });
    expect(await expectOk(stack.pulumi("up", "--yes", ...strict))).not.toMatch(/\[(mandatory|advisory)\]/);
    expect(await expectOk(stack.preview(...strict))).not.toMatch(/\[(mandatory|advisory)\]/);
    expect(await requestsTo(api)).toEqual(["POST /services"]);
  });

  test("report: missing protection, one changed access list entry, and a replacement", async () => {
    const list = { ipAccessList: [OFFICE, BUILD] };
    declare({ analytics: { args: { ...SIZE, ...list, encryptionKey: { "fn::secret": "canary-key" } }, options: {} } });
    const created = await report();
    expect(created).toContain("➕ 1 to create · capacity +96 GB");
    expect(created).toContain("👀 <code>analytics</code>: is not protected: another name or --replace");
    expect(created).not.toContain("canary-key");
    declare({ analytics: { args: { ...SIZE, ...list } } });
    expect(await report()).not.toContain("👀");
    await expectOk(stack.up());

    const moved = { ...BUILD, source: "198.51.100.8" };
    declare({ analytics: { args: { ...SIZE, ipAccessList: [OFFICE, moved] } } });
    const updated = await report();
    expect(updated).toContain("✏️ 1 to update");
    expect(updated).toContain('⚠️ <code>analytics</code>: opens access to "198.51.100.8"');
    expect(updated).toContain('− <code>&#123; description: "build server", source: "198.51.100.7" &#125;</code>');
    expect(updated).not.toContain("203.0.113.0/24");

    declare({ analytics: { args: { ...SIZE, ...list, region: "us-east-2" } } });
    const replaced = await report();
    expect(replaced).toContain("♻️ 1 to replace · capacity +96 GB (+100 %)");
    expect(replaced).toContain("is replaced because of region: the API cannot delete the old service; it is protected");
    expect(replaced).toMatch(/#### Errors\s+- unable to replace resource .* marked for protection/);
    declare({ analytics: { args: { ...SIZE, ...list, region: "us-east-2" }, options: {} } });
    const unprotected = await report();
    expect(unprotected).toContain("👀 <code>analytics</code>: loses its protection");
    expect(unprotected).not.toContain("Pulumi will refuse");
    expect(await requestsTo(api)).toEqual(["POST /services"]);
  });
});
