import { execFile, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { promisify } from "node:util";
import { blocksOf } from "../../programs/support/markdown";
import { serve } from "../../support/local-server";
import { root } from "../../support/root";
import { temporaryFolder } from "../../support/temporary-folder";
import { blockBehind } from "../../support/workflow";

/**
 * The commands of docs/guides/credentials.md, with stand-ins for stores, their commands and Pulumi.
 */

const PAGE = "docs/guides/credentials.md";
const EXAMPLES = "examples/ci/credentials";
const KEY = { keyId: "the-key-id", keySecret: 'the-$key"secret', accessToken: "pul-1" };
const blocks = blocksOf(PAGE);

/** Tests that need commands. A skipped test names the missing command. */
function withCommands(names: readonly string[], define: () => void): void {
  const missing = names.filter(
    (name) => spawnSync("sh", ["-c", `command -v ${name}`]).status !== 0,
  );
  if (missing.length === 0) define();
  else describe.skip(`skipped. Install ${missing.join(" and ")}.`, define);
}

/** A stand-in for Vault and for GitHub's token service. */
const routes: Readonly<
  Record<string, (headers: Record<string, unknown>, body: unknown) => unknown>
> = {
  "GET /token?api=2&audience=": ({ authorization }) =>
    authorization === "Bearer request-token" && { value: "jwt" },
  "POST /v1/auth/jwt/login": (_, body) =>
    JSON.stringify(body) === '{"role":"clouddb-deploy","jwt":"jwt"}' && {
      auth: { client_token: "vault-token" },
    },
  "GET /v1/secret/data/clouddb/production": (headers) =>
    headers["x-vault-token"] === "vault-token" && { data: { data: KEY } },
};
let address: string;
beforeAll(async () => {
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const route = Object.keys(routes).find((route) => `${method} ${url}`.startsWith(route)) ?? "";
    const body = method === "POST" ? await json(request) : undefined;
    const answer = routes[route]?.(headers, body);
    response.writeHead(answer ? 200 : 403).end(JSON.stringify(answer || {}));
  });
  address = `http://127.0.0.1:${await serve(server)}`;
});

/** Stand-ins for commands. Pulumi's keeps the key that it gets. */
const COMMANDS = {
  pulumi: `printf '%s\\n' "$CLOUDDB_KEY_ID" "$CLOUDDB_KEY_SECRET" > key`,
  aws: `test "$(cat "$AWS_WEB_IDENTITY_TOKEN_FILE") $AWS_ROLE_ARN" = "jwt arn:aws:iam::000000000000:role/clouddb-deploy" &&
    test "$*" = "secretsmanager get-secret-value --secret-id clouddb/production --query SecretString --output text" &&
    cat key.json`,
  vault: `case "$*" in
    "login -method=oidc") ;;
    "kv get -mount=secret -field=keyId clouddb/production") jq -j .keyId key.json ;;
    "kv get -mount=secret -field=keySecret clouddb/production") jq -j .keySecret key.json ;;
    *) exit 2 ;;
    esac`,
};

/** Runs a script in a new folder, or throws: its output, and the key that Pulumi got. */
async function run(script: string, variables: Record<string, string> = {}) {
  const folder = temporaryFolder("credentials");
  for (const [name, text] of Object.entries(COMMANDS)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  }
  writeFileSync(join(folder, "key.json"), JSON.stringify(KEY));
  const env = {
    PATH: `${folder}:${process.env.PATH}`,
    TMPDIR: folder,
    VAULT_ADDR: address,
    AWS_WEB_IDENTITY_TOKEN_FILE: join(folder, "jwt"),
    AWS_ROLE_ARN: "arn:aws:iam::000000000000:role/clouddb-deploy",
    ...variables,
  };
  const args = [
    "--norc",
    "-eo",
    "pipefail",
    "-c",
    script.replaceAll("https://vault.example.com:8200", address),
  ];
  const { stdout, stderr } = await promisify(execFile)("bash", args, { cwd: folder, env });
  return { output: stdout + stderr, key: readFileSync(join(folder, "key"), "utf8") };
}

const GITHUB = () => ({
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: "request-token",
  ACTIONS_ID_TOKEN_REQUEST_URL: `${address}/token?api=2`,
});
const GOT = { key: `${KEY.keyId}\n${KEY.keySecret}\n` };

withCommands(["bash", "curl", "jq"], () => {
  const NONE = Object.fromEntries(
    [
      "VAULT_ADDR",
      "AWS_ROLE_ARN",
      "STORED_KEY",
      ...["KEY_ID", "KEY_SECRET", "PASSPHRASE", "ACCESS_TOKEN"],
    ].map((name) => [name, ""]),
  );
  test.each<[string, Record<string, string>]>([
    ["Vault", { VAULT_ROLE: "clouddb-deploy", STORED_KEY: "secret/data/clouddb/production" }],
    ["AWS Secrets Manager", { STORED_KEY: "clouddb/production" }],
    [
      "the environment",
      { KEY_ID: KEY.keyId, KEY_SECRET: KEY.keySecret, ACCESS_TOKEN: KEY.accessToken },
    ],
  ])("the GitHub workflow with %s passes the key and masks it", async (store, variables) => {
    const script = `${blockBehind(".github/workflows/stacks.yml", "name: Read the credentials")}
      sed -n 's/^CLOUDDB_KEY[^=]*=//p' "$GITHUB_ENV" > key
      grep -x "PULUMI_ACCESS_TOKEN=${KEY.accessToken}" "$GITHUB_ENV" > token`;
    const own =
      store === "Vault"
        ? { VAULT_ADDR: address }
        : store.startsWith("AWS") && {
            AWS_ROLE_ARN: "arn:aws:iam::000000000000:role/clouddb-deploy",
          };
    const folder = temporaryFolder("runner");
    const runner = { RUNNER_TEMP: folder, GITHUB_ENV: join(folder, "env") };
    const job = { ...NONE, ...GITHUB(), ...runner, ...variables, ...own };
    const { output, ...result } = await run(script, job);
    expect(result).toEqual(GOT);
    expect(
      output.split("\n").filter((line) => line !== "" && !line.startsWith("::add-mask::")),
    ).toEqual([]);
    expect(output).toContain(`::add-mask::${KEY.keySecret}\n`);
    expect(output).toContain(`::add-mask::${KEY.accessToken}\n`);
    if (own) {
      const wrong = { ...job, ACTIONS_ID_TOKEN_REQUEST_TOKEN: "wrong" };
      await expect(run(script, wrong)).rejects.toThrow();
    }
  });

  test.each(["vault", "aws"])(
    "the GitLab pipeline with %s passes the key and prints nothing",
    async (job) => {
      const script = blockBehind(`${EXAMPLES}/gitlab.yml`, `${job}:`);
      expect(await run(script, { VAULT_ID_TOKEN: "jwt", AWS_ID_TOKEN: "jwt" })).toEqual({
        ...GOT,
        output: "",
      });
      await expect(
        run(script, { VAULT_ID_TOKEN: "wrong", AWS_ID_TOKEN: "wrong" }),
      ).rejects.toThrow();
    },
  );

  test("a local Vault passes the key", async () => {
    const [block] = blocks.filter(({ text }) => text.includes("vault login"));
    expect(await run(block?.text ?? "")).toEqual({ ...GOT, output: "" });
  });
});

test("the page shows steps and jobs of the complete pipelines", () => {
  const shown = blocks.filter(({ directive = "" }) => /^a (step|job) of /.test(directive));
  expect(shown).toHaveLength(2);
  const unindented = (text: string) => text.replace(/^ +/gm, "");
  for (const { text, directive = "" } of shown) {
    const pipeline = readFileSync(join(root, EXAMPLES, directive.replace(/.* of /, "")), "utf8");
    expect(unindented(pipeline)).toContain(unindented(text));
  }
});
