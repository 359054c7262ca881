import * as fc from "fast-check";
import { createRedactor } from "pulumi-clouddb-facts";
import type { Limit } from "../../api/rate-limiter";
import { render } from "../../errors";
import { settingVariable } from "../../names";
import { createSession } from "./session";
import {
  credentialSecrets,
  parseRateLimit,
  readSettings,
  type SettingKey,
  settingsTable,
} from "./settings";

function read(config: Record<string, unknown>, environment: Record<string, string> = {}) {
  const result = readSettings((key) => config[key], environment);
  return { ...result, problems: [...result.problems, ...result.previewProblems].map(render) };
}

describe("settings", () => {
  test("settings come from the configuration, then the environment, then the defaults", () => {
    const { settings, problems } = read(
      { "clouddb:keyId": "stack" },
      { CLOUDDB_KEY_ID: "env", CLOUDDB_KEY_SECRET: "hush", CLOUDDB_BASE_URL: "" },
    );
    expect(problems).toEqual([]);
    expect(settings).toEqual({
      keyId: "stack",
      keySecret: "hush",
      requestTimeoutSeconds: 60,
      maxRetries: 6,
      allowInsecureHttp: false,
    });
  });

  test("any setting is accepted or refused in a sentence without secrets", () => {
    const keys = Object.keys(settingsTable);
    const configurations = fc.dictionary(fc.constantFrom(...keys), fc.anything());
    const refuseInSentences = (configured: Readonly<Record<string, unknown>>) => {
      const values: Record<string, unknown> = {
        ...configured,
        keySecret: "canary-secret".repeat(3),
      };
      const { settings, problems } = readSettings((key) => values[key.replace("clouddb:", "")], {});
      for (const problem of problems.map(render)) {
        expect(problem).toMatch(/[.?] \[CDB\d{4}\]$/s);
        expect(problem.length).toBeLessThan(2500);
        expect(problem).not.toContain("canary-secret");
      }
      expect(keys).toEqual(expect.arrayContaining(Object.keys(settings)));
    };
    fc.assert(fc.property(configurations, refuseInSentences), { numRuns: 2000 });
  });

  test("settings are parsed from strings and accepted as typed values", () => {
    const text = read({ "clouddb:paid": "false", "clouddb:maxRetries": "0" });
    const native = read({ "clouddb:paid": false, "clouddb:maxRetries": 0 });
    expect(text).toEqual(native);
    expect(text.settings).toMatchObject({ paid: false, maxRetries: 0 });
  });

  test.each<[string, unknown]>([
    ["with commas", "region, tier"],
    ["as JSON", '["region","tier"]'],
    ["as a list", ["region", "tier"]],
  ])("a setting takes names of arguments %s", (_, args) => {
    expect(read({ "clouddb:allowUnlisted": args }).settings.allowUnlisted).toEqual([
      "region",
      "tier",
    ]);
  });

  describe("with envVarMappings", () => {
    const mapped = (
      mappings: object,
      config: Record<string, unknown>,
      environment: Record<string, string>,
    ) => read({ "clouddb:envVarMappings": JSON.stringify(mappings), ...config }, environment);
    const MAPPINGS = { EU_KEY_ID: "CLOUDDB_KEY_ID", EU_SECRET: "CLOUDDB_KEY_SECRET" };
    const ENVIRONMENT = {
      CLOUDDB_KEY_ID: "other",
      CLOUDDB_KEY_SECRET: "other",
      CLOUDDB_PAID: "true",
    };

    test("settings come from mapped variables instead of the provider's own", () => {
      const environment = { ...ENVIRONMENT, EU_KEY_ID: "eu", EU_SECRET: "hush" };
      const { settings, problems, fromEnvironment } = mapped(MAPPINGS, {}, environment);
      expect(problems).toEqual([]);
      expect(settings).toMatchObject({ keyId: "eu", keySecret: "hush", paid: true });
      expect([...fromEnvironment.values()]).toEqual(["EU_KEY_ID", "EU_SECRET", "CLOUDDB_PAID"]);
      expect(mapped(MAPPINGS, { "clouddb:keyId": "argument" }, environment).settings.keyId).toBe(
        "argument",
      );
    });

    test.each(["", undefined])(
      "a mapped variable with the value %j is an error, and the unmapped one is not read",
      (value) => {
        const environment = {
          ...ENVIRONMENT,
          EU_KEY_ID: "eu",
          ...(value !== undefined && { EU_SECRET: value }),
        };
        const { settings, problems } = mapped(MAPPINGS, {}, environment);
        expect(problems).toEqual([
          "EU_SECRET is not set: envVarMappings of the provider reads clouddb:keySecret from this variable only. Set the variable. [CDB2001]",
        ]);
        expect(settings).not.toHaveProperty("keySecret");
        expect(mapped(MAPPINGS, { "clouddb:keySecret": "argument" }, environment).problems).toEqual(
          [],
        );
      },
    );

    test("an error about a mapped setting names its variable", () => {
      const { problems } = mapped(
        { EU_URL: "CLOUDDB_BASE_URL" },
        {},
        { EU_URL: "http://eu.example.com" },
      );
      expect(problems).toEqual([
        expect.stringContaining("clouddb:baseUrl (EU_URL) http://eu.example.com is invalid"),
      ]);
    });

    test.each<[object, unknown[]]>([
      [
        { EU: "CLOUDDB_KEYID" },
        ["it maps EU to CLOUDDB_KEYID; did you mean CLOUDDB_KEY_ID? [CDB2002]"],
      ],
      [
        { CLOUDDB_KEY_ID: "EU" },
        ["it maps CLOUDDB_KEY_ID to EU; name your own variable first. [CDB2002]"],
      ],
      [
        { KAFKA: "POSTGRES", OTHER: "KAFKA" },
        [
          expect.stringMatching(
            /it maps KAFKA to POSTGRES; no variable may replace .*\. \[CDB2002\]$/,
          ),
        ],
      ],
      [
        { EU: "KAFKA", US: "KAFKA" },
        [expect.stringMatching(/it maps US to KAFKA; no variable may replace .*\. \[CDB2002\]$/)],
      ],
      [{ EU_PROXY: "HTTPS_PROXY", CLOUDDB_EU_PASSWORD: "KAFKA_PASSWORD" }, []],
    ])(
      "a misspelled, reversed, chained or doubled mapping is refused: %j",
      (mappings, expected) => {
        expect(mapped(mappings, {}, { EU: "x" }).problems).toEqual(
          expected.map((text) =>
            typeof text === "string" ? `envVarMappings is invalid: ${text}` : text,
          ),
        );
      },
    );
  });

  const spaces = [" ", "\t", "\n", "\r\n", "\u0000", "\u007f", "\u00a0"];
  const inside = {
    baseUrl: "https://api.example.com/api",
    observabilityUrl: "https://obs.example.com/a",
  };
  const RATE_LIMIT = { "clouddb:rateLimit": "10 per 10 s" };
  const texts = {
    ...inside,
    keyId: "key-1",
    keySecret: "hush",
    accessToken: "hush",
    organizationId: "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01",
    organizationTier: "SCALE",
    paid: "true",
    requestTimeoutSeconds: "5",
    maxRetries: "5",
    rateLimit: "10 per 10 s",
    allowInsecureHttp: "false",
  };
  test.each([
    ...Object.entries(texts),
    ["rateLimitUrl", "redis://:hush@redis.example.com"] as const,
  ])("the setting %s is refused with whitespace or a control character at an end", (key, value) => {
    expect(read({ [`clouddb:${key}`]: value, ...RATE_LIMIT }).problems).toEqual([]);
    for (const space of spaces) {
      for (const text of [`${value}${space}`, `${space}${value}`]) {
        const { settings, problems } = read({}, { [settingVariable(key)]: text });
        expect([text, problems]).toEqual([text, [expect.stringContaining(" is invalid: must ")]]);
        expect(problems.join()).not.toContain("hush");
        expect(settings).not.toHaveProperty(key);
      }
    }
  });

  const HTTPS = "must use https, since plain HTTP sends the credentials unencrypted";
  const REDIS = "must be a URL such as rediss://user:password@redis.example.com:6379";
  test.each<[string, unknown, string?]>([
    ["allowUnlisted", "[region", "must be a list"],
    ["allowUnlisted", '[" region"]'],
    ["allowUnlisted", '["region",null]'],
    [
      "organizationTier",
      "GOLD",
      '(CLOUDDB_ORGANIZATION_TIER) "GOLD" is invalid: must be one of BASIC',
    ],
    [
      "organizationId",
      "mine",
      "clouddb:organizationId (CLOUDDB_ORGANIZATION_ID) is invalid: must be a UUID",
    ],
    ["paid", "yes", "must be true or false"],
    ["maxRetries", "many", "must be an integer from 0 to 100"],
    ["baseUrl", "api.example.com", "must be a URL such as https://api.example.com"],
    ["baseUrl", "https://api.example.com/v1", "without API version, query or credentials"],
    [
      "baseUrl",
      "https://user:hunter22@api.example.com",
      "clouddb:baseUrl (CLOUDDB_BASE_URL) is invalid",
    ],
    ["baseUrl", "http://localhost.evil.example", HTTPS],
    ["observabilityUrl", "http://10.0.0.1", HTTPS],
    ["rateLimitUrl", "redis.example.com:6379", REDIS],
    ["rateLimitUrl", "https://redis.example.com", REDIS],
    ["rateLimitUrl", "redis://redis.example.com/a", REDIS],
    ["rateLimitUrl", "redis://redis.example.com?tls=false", REDIS],
    [
      "rateLimitUrl",
      "redis://:half%@redis.example.com",
      "encode special characters of the password",
    ],
    ["rateLimitUrl", "redis://redis.example.com/?"],
    ["rateLimitUrl", "redis://redis.example.com#"],
    ["rateLimitUrl", "redis://:pa\nss@redis.example.com"],
    ["rateLimitUrl", "redis:/hunter22"],
    ["keySecret", 123_450_22],
    ["keySecret", "two\nlines"],
    ["keyId", "two\r\nlines"],
    ["accessToken", "two words"],
    ["accessToken", "größe"],
    ...spaces.flatMap((space) =>
      Object.entries(inside).map(([key, value]) => [key, `${value}${space}b`] as [string, string]),
    ),
    ...["/?", "/#", "?", "#", "/?a", "/v1/", "/v1//", "/a/../v1", "/api/v2/"].map(
      (end) => ["baseUrl", `https://api.example.com${end}`] as [string, string],
    ),
    ...[
      " ",
      "0x10",
      "1e1",
      "+5",
      "-0",
      "5.0",
      "05",
      "5_0",
      "0b1",
      "Infinity",
      "NaN",
      "true",
      "５",
    ].flatMap((text) =>
      ["maxRetries", "requestTimeoutSeconds"].map((key) => [key, text] as [string, string]),
    ),
    ...["True", "TRUE", "yes", "1", "0", " "].flatMap((text) =>
      ["paid", "allowInsecureHttp"].map((key) => [key, text] as [string, string]),
    ),
  ])(
    "the setting %s is refused with the value %j",
    (key, value, problem = " is invalid: must ") => {
      const { settings, problems } = read({ [`clouddb:${key}`]: value });
      expect(problems).toEqual([expect.stringContaining(problem)]);
      expect(problems.join()).not.toMatch(/hunter22|12345022/);
      expect(settings).not.toHaveProperty(key);
    },
  );

  test.each([
    ["provider,Regions", "; did you mean region?"],
    ["hunter22", "."],
  ])("a preview refuses the value %j of allowUnlisted without showing it", (value, end) => {
    const rule =
      "each name must be one of name, provider, region, tier, releaseChannel, profile, complianceType";
    expect(read({ "clouddb:allowUnlisted": value }).problems).toEqual([
      `clouddb:allowUnlisted (CLOUDDB_ALLOW_UNLISTED) is invalid: ${rule}${end} [CDB2002]`,
    ]);
    expect(readSettings(() => undefined, { CLOUDDB_ALLOW_UNLISTED: value }).problems).toEqual([]);
  });

  const asWritten = (key: SettingKey, text: string): [SettingKey, string, string] => [
    key,
    text,
    text,
  ];
  test.each<[SettingKey, string, stored: string]>([
    ["baseUrl", "https://api.example.com/", "https://api.example.com"],
    ["baseUrl", "https://api.example.com/base//", "https://api.example.com/base"],
    ["baseUrl", "HTTPS://API.Example.com:443/base", "https://api.example.com/base"],
    ["baseUrl", "https:\\\\api.example.com\\base", "https://api.example.com/base"],
    ["baseUrl", "https://api.example.com/a/../b", "https://api.example.com/b"],
    // Plain HTTP to this machine.
    asWritten("baseUrl", "http://127.0.0.1:4010"),
    asWritten("rateLimitUrl", "redis://127.0.0.1"),
    asWritten("rateLimitUrl", "rediss://user:p%40ss@redis.example.com:6380/2"),
    asWritten("rateLimitUrl", "redis://:pw@[::1]:6379/"),
  ])("the setting %s with the value %s is stored in canonical form", (key, text, stored) => {
    const { settings, problems } = read({ [`clouddb:${key}`]: text, ...RATE_LIMIT });
    expect([settings[key], problems]).toEqual([stored, []]);
  });

  test("plain HTTP to other machines is accepted if allowInsecureHttp is set", () => {
    const config = { "clouddb:baseUrl": "http://db.internal", "clouddb:allowInsecureHttp": "true" };
    expect(read(config)).toMatchObject({
      settings: { baseUrl: "http://db.internal" },
      problems: [],
    });
  });

  test.each<[string, Record<string, string>, string]>([
    [
      "with a limit in parts of a second",
      { "clouddb:rateLimit": "5 per 0.5 s" },
      "must be in whole seconds with",
    ],
    [
      "with a limit that is invalid",
      { "clouddb:rateLimit": "much" },
      "must be a number of requests and of seconds",
    ],
  ])("a server that shares the rate limit is refused %s", (_, config, problem) => {
    const { problems } = read({ ...config, "clouddb:rateLimitUrl": "redis://127.0.0.1" });
    expect(problems).toEqual([expect.stringContaining(problem)]);
  });

  test.each<[string, Limit]>([
    ["10 per 10 s", { requests: 10, windowMs: 10_000 }],
    ["100 per 1 s", { requests: 100, windowMs: 1000 }],
    ["5 per 0.5 s", { requests: 5, windowMs: 500 }],
  ])("the rate limit %j is parsed", (text, limit) => {
    expect(parseRateLimit(text)).toEqual(limit);
  });

  test.each([
    "0 per 10 s",
    "10 per 0 s",
    "10 per 10",
    "10 per 1 min",
    "10  per 10 s",
    "1.5 per 1 s",
  ])("the rate limit %j is refused", (text) => {
    expect(parseRateLimit(text)).toBeUndefined();
  });
});

describe("log lines", () => {
  const redacted = (settings: Parameters<typeof credentialSecrets>[0], line: string) => {
    const redactor = createRedactor();
    redactor.addSecrets(credentialSecrets(settings));
    return redactor.redact(line);
  };

  test("a log line contains no key in an echoed header", () => {
    const [keyId, keySecret] = ["kéy", 's3cret"hush?>'];
    const header = Buffer.from(`${keyId}:${keySecret}`).toString("base64");
    expect(header).toMatch(/[+/=]/);
    const inForm = new URLSearchParams({ a: header }).toString().slice(2);
    for (const written of [
      header,
      encodeURIComponent(header),
      inForm,
      header.replaceAll("/", "\\/"),
    ]) {
      const line = `401 for Authorization: Basic ${written}; ${keySecret}; Bearer t0ken-hush.`;
      expect(redacted({ keyId, keySecret, accessToken: "t0ken-hush" }, line)).toMatch(
        /^401 for Authorization: Basic \[secret\](=|%3D)*; \[secret\]; Bearer \[secret\]\.$/,
      );
    }
  });

  test.each(["rateLimitUrl", "journal"])(
    "a log line contains no password of the server in %s",
    (setting) => {
      const url = "rediss://user:p%40ss%20w0rd@redis.example.com";
      const line = `${url}, p@ss w0rd, p%40ss%20w0rd, redis.example.com`;
      expect(redacted({ [setting]: url }, line)).toBe(
        "[secret], [secret], [secret], redis.example.com",
      );
    },
  );
});

test("equal settings share one client, and other settings get another client", () => {
  const session = createSession({
    environment: {
      CLOUDDB_BASE_URL: "http://127.0.0.1:1",
      CLOUDDB_KEY_ID: "id",
      CLOUDDB_KEY_SECRET: "secret",
    },
    clock: { now: () => 0, sleep: async () => {} },
    random: () => 1,
    log: () => {},
  });
  const clientWith = (configured: Record<string, string>) => {
    session.configure((key) => configured[key]);
    return session.clientFor("management");
  };
  const first = clientWith({});
  expect(clientWith({ "clouddb:keyId": "id" })).toBe(first);
  expect(clientWith({ "clouddb:keyId": "another" })).not.toBe(first);
});
