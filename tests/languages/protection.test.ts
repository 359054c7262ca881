import { expectFailure, newStack, type Stack, simulated } from "../engine/support/stack";
import { killAt } from "../faults/crashes/interrupted-up";
import type { TestApi } from "../support/api";
import { inLanguage, type Language, writeSource } from "./support";

/*
 * The packages of Python, Go and Java protect services by default, YAML cannot: the effect of the
 * option `protect`, what holds without it, and what only the option can prevent.
 * tests/engine/protection has the rest.
 */

const URN = "urn:pulumi:dev::test::clouddb:index:Service::db";
const PROTECTED =
  /unable to replace resource "urn.*\n\s*as it is currently marked for protection|because it is protected/;
const STAYS = "the API cannot delete services, so it would keep running and costing money";

/** A program with one service, for a region and resource options of the language. */
const PROGRAMS: Readonly<
  Record<Language, (region: string, options: string, name?: string) => string>
> = {
  yaml: (region, options, name = "db") => `
resources:
  ${name}:
    type: clouddb:Service
    properties: { name: keep, region: ${region} }
    options: { ${options} }
`,
  python: (region, options) => `
import pulumi
import pulumi_clouddb as clouddb
clouddb.Service("db", name="keep", region="${region}", opts=pulumi.ResourceOptions(${options}))
`,
  go: (region, options) => `package main

import (
	"github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		args := &clouddb.ServiceArgs{Name: pulumi.String("keep"), Region: pulumi.String("${region}")}
		_, err := clouddb.NewService(ctx, "db", args${options})
		return err
	})
}
`,
  java: (region, options) => `package example;

import com.pulumi.Pulumi;
import com.pulumi.clouddb.*;
import com.pulumi.resources.*;

public class App {
  public static void main(String[] arguments) {
    Pulumi.run(ctx -> {
      var args = ServiceArgs.builder().name("keep").region("${region}").build();
      new Service("db", args, CustomResourceOptions.builder()${options}.build());
    });
  }
}
`,
};

/**
 * Resource options that do not decide about protection, that turn it off, and that release the
 * service.
 */
const OPTIONS = {
  python: {
    undecided: "protect=None",
    unprotected: "protect=False",
    released: "retain_on_delete=True",
  },
  go: {
    undecided: "",
    unprotected: ", pulumi.Protect(false)",
    released: ", pulumi.RetainOnDelete(true)",
  },
  java: {
    undecided: ".protect(null)",
    unprotected: ".protect(false)",
    released: ".retainOnDelete(true)",
  },
};

let api: TestApi;
let stack: Stack;

function declare(language: Language, options: string, region = "us-east-1", name = "db"): void {
  writeSource(stack, language, PROGRAMS[language](region, options, name));
}

/** A stack with the service `db`. */
async function created(language: Language, options = ""): Promise<void> {
  api = await simulated();
  stack = await newStack(api);
  declare(language, options);
  await stack.up();
  expect(await api.requestNames()).toEqual(["POST /services"]);
}

/** The command fails without a request, so there is still one service. */
async function expectRefused(sentence: RegExp | string, ...args: string[]): Promise<void> {
  const output = await expectFailure(stack.pulumi(...args));
  if (typeof sentence === "string") expect(output).toContain(sentence);
  else expect(output).toMatch(sentence);
  expect(await api.requestNames()).toEqual([]);
}

/** A service is protected unless the program decides otherwise. */
function protectsByDefault(language: keyof typeof OPTIONS): void {
  const { undecided, unprotected, released } = OPTIONS[language];
  test("a service is protected by default; an unprotected one can be released, but not replaced", async () => {
    await created(language, undecided);
    await expectRefused(PROTECTED, "destroy", "--yes");
    declare(language, undecided, "eu-west-1");
    await expectRefused(PROTECTED, "up", "--yes");
    declare(language, unprotected);
    await stack.up();
    await expectRefused(STAYS, "up", "--yes", "--skip-preview", "--replace", URN);
    declare(language, released);
    await stack.up();
    await stack.destroy();
    expect(await api.services()).toHaveLength(1);
  });
}

for (const language of ["python", "go", "java"] as const)
  inLanguage(language, () => protectsByDefault(language));

inLanguage("yaml", () => {
  test("without protection, a destroy, a removal and a new region fail before any change", async () => {
    await created("yaml");
    await expectRefused(STAYS, "destroy", "--yes");
    declare("yaml", "", "eu-west-1");
    await expectRefused(STAYS, "up", "--yes", "--skip-preview");
    writeSource(stack, "yaml", "");
    await expectRefused(STAYS, "up", "--yes", "--skip-preview");
    expect(await api.services()).toHaveLength(1);
  });

  /*
   * The engine does not tell a plugin about protection, and in these cases nothing of the old
   * service: the plugin sees a creation like any other. The documentation lists these limits;
   * nothing is lost, since the state has both services.
   */
  test.each([
    ["`--replace` without protection", "", () => declare("yaml", ""), ["--replace", URN]],
    [
      "another name without protection and alias",
      "",
      () => declare("yaml", "", "us-east-1", "renamed"),
      [],
    ],
    [
      "another name in an update without preview, which is where protection is looked at",
      "protect: true",
      () => declare("yaml", "protect: true", "us-east-1", "renamed"),
      [],
    ],
    [
      "`deleteBeforeReplace: false`",
      "",
      () => declare("yaml", "deleteBeforeReplace: false", "eu-west-1"),
      [],
    ],
  ])(
    "known limit: %s creates a second service and then fails",
    async (_, options, change, args) => {
      await created("yaml", options);
      // The journal forgets a creation once a later command sees the service in the stack. This
      // preview is that command.
      await stack.preview();
      change();
      const output = await expectFailure(stack.pulumi("up", "--yes", "--skip-preview", ...args));
      expect(output).toMatch(options === "" ? STAYS : PROTECTED);
      expect(await api.requestNames()).toEqual(["POST /services"]);
      const stored = (await stack.resources())
        .filter(({ type }) => type === "clouddb:index:Service")
        .map(({ id }) => id);
      const existing = (await api.services()).map(({ id }) => id);
      expect(existing).toHaveLength(2);
      expect(stored.sort()).toEqual(existing.sort());
    },
  );

  test("`--replace` right after a creation adopts the same service and deletes nothing", async () => {
    await created("yaml");
    const output = await stack.pulumi("up", "--yes", "--skip-preview", "--replace", URN);
    expect(output).toMatch(/Taking service .*, which an earlier command created at .*\[CDB4011\]/);
    expect(output).toMatch(
      /Service .* is the one that its replacement has taken into the stack: it was not deleted/,
    );
    expect((await api.requestNames()).filter((request) => request.startsWith("POST"))).toEqual([]);
    const stored = (await stack.resources()).filter(({ type }) => type === "clouddb:index:Service");
    expect(stored).toMatchObject([{ id: (await api.services())[0]?.id }]);
    expect(await stack.up()).toContain("2 unchanged");
  });
});

for (const language of ["yaml", "python"] as const) {
  inLanguage(language, () => {
    test("a service that a crash kept out of the stack is adopted with its password", async () => {
      api = await simulated();
      stack = await newStack(api);
      declare(language, "");
      await killAt(stack, "after record 2", "both");
      expect(await stack.up()).toContain("[CDB4011]");
      const [service, ...others] = await api.services();
      expect(others).toEqual([]);
      const [stored] = (await stack.resources()).filter(
        ({ type }) => type === "clouddb:index:Service",
      );
      expect(stored).toMatchObject({
        id: service?.id,
        outputs: { password: { ciphertext: expect.any(String) } },
      });
    });
  });
}
