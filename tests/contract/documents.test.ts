import { UNKNOWN } from "../support/adapters/values";
import { EXAMPLE, table } from "../support/example";
import { useSeededSimulator } from "./simulators";
import {
  answer,
  create,
  createHandlers,
  failedCreation,
  once,
  type Properties,
  refuse,
} from "./support";

/**
 * Servers that keep to the services' own documents, which allow more than the specification shows.
 */

const {
  service: SERVICE,
  pipes: { kafka: KAFKA, objectStorage: OBJECTS, postgres: POSTGRES },
} = EXAMPLE;
const PATCH = "PATCH /services/{id}/pipes/{id}";
const GET = "GET /services/{id}/pipes/{id}";
const seeded = useSeededSimulator();
const pipes = () => createHandlers("Pipe", seeded.api);
const at = (pipeId: string, source?: Properties) => ({
  serviceId: SERVICE,
  pipeId,
  ...(source && { source }),
});
const credentials = { username: "reader", password: "hush-hush" };
const mapped = (...tableMappings: unknown[]) => at(POSTGRES, { postgres: { tableMappings } });

describe("sources in outputs", () => {
  test.each([
    ["with no documented member", { postgres: { tlsHost: "db" } }, { postgres: {} }],
    [
      "with its secret alone",
      { postgres: null, objectStorage: { connectionString: "c" } },
      { objectStorage: {} },
    ],
    ["without a kind", {}, undefined],
    ["that is null", null, undefined],
  ])("a source %s replaces the former output", async (_, source, currentSource) => {
    const adopted = await create(pipes(), at(POSTGRES));
    expect(adopted.outs).toHaveProperty("currentSource.postgres.host");
    await seeded.api.faults(answer("GET", { source }));
    expect((await adopted.refresh()).outs.currentSource).toEqual(currentSource);
  });

  test("a value that a source no longer shows is drift, and the next `up` sends the value", async () => {
    const program = at(POSTGRES, { postgres: { port: 5432 } });
    const adopted = await create(pipes(), program);
    await seeded.api.faults(answer("GET", { source: { postgres: { tlsHost: "db" } } }));
    const refreshed = await adopted.refresh();
    expect(refreshed.inputs).not.toHaveProperty("source");
    await seeded.sent();
    await refreshed.update(program);
    expect(await seeded.sent()).toEqual([[PATCH, { source: { postgres: { port: 5432 } } }]]);
  });

  test("an output number may be a fraction", async () => {
    await seeded.api.faults(answer("GET", { idleTimeoutMinutes: 7.5 }));
    const scaling = createHandlers("ServiceScaling", seeded.api);
    const { outs } = await create(scaling, { serviceId: SERVICE, numReplicas: 3 });
    expect(outs.idleTimeoutMinutes).toBe(7.5);
    expect(scaling.messages.join()).not.toContain("undocumented type");
  });

  test.each([0, 1])(
    "two entries with one key keep their places in any order of the response: %i",
    async (first) => {
      const office = ["office", "also office"].map((description) => ({
        source: "203.0.113.0/24",
        description,
      }));
      const shown = [
        office[first],
        office[1 - first],
        { source: "198.51.100.7", description: "build" },
      ];
      const handlers = createHandlers("Service", seeded.api);
      const adopted = await create(handlers, {
        existingServiceId: SERVICE,
        ipAccessList: [office[0]],
      });
      const lists: unknown[] = [];
      let resource = adopted;
      for (const entries of [shown, shown, [...shown].reverse(), shown]) {
        await seeded.api.faults(answer("GET", { ipAccessList: entries }));
        resource = await resource.refresh();
        lists.push(resource.inputs.ipAccessList);
      }
      expect(new Set(lists.map((list) => JSON.stringify(list))).size).toBe(1);
    },
  );
});

describe("changed table mappings", () => {
  const before = table("customers", { excludedColumns: ["phone"] });
  const after = table("customers", { excludedColumns: ["email"] });
  const add = (...mappings: object[]) => [
    PATCH,
    { source: { postgres: { tableMappingsToAdd: mappings } } },
  ];
  const remove = (...mappings: object[]) => [
    PATCH,
    { source: { postgres: { tableMappingsToRemove: mappings } } },
  ];

  async function adoptTables() {
    const handlers = pipes();
    const adopted = await create(handlers, mapped(before, table("orders")));
    await seeded.sent();
    return { handlers, adopted };
  }

  test("a changed table mapping is removed and added again in two requests, as the preview says", async () => {
    const { handlers, adopted } = await adoptTables();
    await adopted.diff(mapped(after, table("orders")));
    expect(handlers.messages.at(-1)).toBe(
      `Changing 1 entry (["public","customers","customers"]) of source.postgres.tableMappings of pipe ${POSTGRES} takes two requests: one removes, the other adds again. Such a table leaves replication in between, and is copied anew. [CDB5020]`,
    );
    const changed = await adopted.update(mapped(after, table("visits")));
    expect(await seeded.sent()).toEqual([
      [
        PATCH,
        {
          source: {
            postgres: {
              tableMappingsToAdd: [table("visits")],
              tableMappingsToRemove: [table("customers"), table("orders")],
            },
          },
        },
      ],
      add(after),
    ]);
    expect(changed.outs).toMatchObject({
      source: { postgres: { tableMappings: [after, table("visits")] } },
    });
    expect(await changed.diff()).toMatchObject({ changes: false });
  });

  test("a changed table mapping is added by the next `up` if the second request fails", async () => {
    const { adopted } = await adoptTables();
    await seeded.api.faults({ ...once(answer("PATCH", {})) }, refuse("PATCH", 400));
    const { stored, message } = await adopted.failedUpdate(mapped(after, table("orders")));
    expect(message).toContain("Not done: source.postgres.tableMappings.");
    expect(await seeded.sent()).toEqual([remove(table("customers")), add(after)]);
    await seeded.api.faults();
    await stored.update(mapped(after, table("orders")));
    expect(await seeded.sent()).toEqual([add(after)]);
  });

  test("a changed table mapping is added even if no response shows mappings", async () => {
    const { adopted } = await adoptTables();
    await seeded.api.faults(answer("PATCH", { source: null }));
    await adopted.update(mapped(after, table("orders")));
    expect(await seeded.sent()).toEqual([remove(table("customers")), add(after)]);
  });

  test("a kept table mapping is added again if it has the key of a removed mapping", async () => {
    const twin = table("customers", { excludedColumns: ["email"] });
    await seeded.api.faults(
      answer("GET", { source: { postgres: { tableMappings: [before, twin] } } }),
      answer("PATCH", {}),
    );
    const adopted = await create(pipes(), mapped(before));
    expect((await seeded.sent()).slice(1)).toEqual([remove(table("customers")), add(before)]);
    expect(adopted.outs).toMatchObject(mapped(before));
  });

  test("the preview does not announce changed table mappings if the pipe itself changes", async () => {
    const { handlers, adopted } = await adoptTables();
    await adopted.diff({ ...mapped(after), pipeId: KAFKA });
    expect(handlers.messages.join("\n")).not.toContain("CDB5020");
  });

  test("an update fails after one more request if the server still shows the old table mapping", async () => {
    const { adopted } = await adoptTables();
    const shown = { postgres: { tableMappings: [before, table("orders")] } };
    await seeded.api.faults(answer("PATCH", { source: shown }));
    const { message } = await adopted.failedUpdate(mapped(after, table("orders")));
    expect(message).toContain("[CDB4005]");
    expect(await seeded.sent()).toHaveLength(3);
  });

  test("an adoption announces a changed table mapping, since a preview cannot", async () => {
    const handlers = pipes();
    await create(handlers, mapped(after, table("orders")));
    expect(handlers.messages.join("\n")).toContain("[CDB5020]");
  });
});

describe("secrets of a changed connection", () => {
  test.each<[string, string, Properties, Properties]>([
    ["host", POSTGRES, { postgres: { credentials } }, { postgres: { host: "db-2.example.com" } }],
    ["port", POSTGRES, { postgres: { credentials } }, { postgres: { port: 5433 } }],
    ["database", POSTGRES, { postgres: { credentials } }, { postgres: { database: "other" } }],
    ["role", KAFKA, { kafka: { credentials } }, { kafka: { iamRole: "arn:aws:iam::1:role/x" } }],
    ["certificate", KAFKA, { kafka: { credentials } }, { kafka: { caCertificate: "PEM" } }],
    [
      "container",
      OBJECTS,
      { objectStorage: { connectionString: "c-1" } },
      { objectStorage: { azureContainerName: "other" } },
    ],
  ])(
    "a changed %s is sent with the secret, and again after the server refuses both",
    async (_, pipeId, secret, change) => {
      const [[kind = "", values] = []] = Object.entries(secret);
      const both = { [kind]: { ...(values as object), ...(change[kind] as object) } };
      const adopted = await create(pipes(), at(pipeId, secret));
      await seeded.sent();
      await seeded.api.faults(once(refuse("PATCH", 400)));
      await adopted.failedUpdate(at(pipeId, both));
      const changed = await adopted.update(at(pipeId, both));
      const shown = Object.fromEntries(
        Object.keys(values as object).map((name) => [name, "[secret]"]),
      );
      const body = { source: { [kind]: { ...(change[kind] as object), ...shown } } };
      expect(await seeded.sent()).toEqual([
        [PATCH, body],
        [PATCH, body],
      ]);
      expect(await changed.diff()).toMatchObject({ changes: false });
    },
  );

  test("a secret by reference is read from its variable, and nothing is sent without it", async () => {
    const withHost = (host: string) =>
      at(POSTGRES, {
        postgres: { host, credentials: { username: "u", passwordFromEnvironment: "PG_PASSWORD" } },
      });
    const environment = { PG_PASSWORD: "hush-hush" };
    const adopted = await create(createHandlers("Pipe", seeded.api, environment), withHost("a"));
    await seeded.sent();
    const without = adopted.in(createHandlers("Pipe", seeded.api));
    expect((await without.failedUpdate(withHost("b"))).message).toContain("PG_PASSWORD");
    expect(await seeded.sent()).toEqual([]);
    await adopted.update(withHost("b"));
    expect(await seeded.sent()).toEqual([
      [PATCH, { source: { postgres: { host: "b", credentials: "[secret]" } } }],
    ]);
  });

  test("a preview says that it cannot compare a missing secret if the connection changes", async () => {
    const withHost = (host: string) => ({
      ...at(POSTGRES, {
        postgres: { host, credentials: { username: "u", passwordFromEnvironment: "PG_PASSWORD" } },
      }),
      secretsVersion: "1",
    });
    const environment = { PG_PASSWORD: "hush-hush" };
    const adopted = await create(createHandlers("Pipe", seeded.api, environment), withHost("a"));
    const unset = createHandlers("Pipe", seeded.api);
    await adopted.in(unset).diff(withHost("a"));
    expect(unset.messages).toEqual([]);
    await adopted.in(unset).diff(withHost("b"));
    expect(unset.messages.join()).toContain("CDB2012");
  });

  test("a secret is not sent if only settings or tables change", async () => {
    const postgres = {
      credentials,
      settings: { syncIntervalSeconds: 5 },
      tableMappings: [table("orders")],
    };
    const adopted = await create(pipes(), at(POSTGRES, { postgres }));
    await seeded.sent();
    const settings = { syncIntervalSeconds: 6 };
    const next = { ...postgres, settings, tableMappings: [table("orders"), table("users")] };
    await adopted.update(at(POSTGRES, { postgres: next }));
    expect(await seeded.sent()).toEqual([
      [PATCH, { source: { postgres: { settings, tableMappingsToAdd: [table("users")] } } }],
    ]);
  });

  test("a secret is sent again after a request with an unknown outcome", async () => {
    const program = (port: number) => at(POSTGRES, { postgres: { port, credentials } });
    const adopted = await create(pipes(), program(5432));
    await seeded.api.faults(
      { method: "PATCH", effect: { kind: "reset", when: "after" } },
      { method: "GET", effect: { kind: "reset", when: "before" } },
    );
    const { stored } = await adopted.failedUpdate(program(5433));
    await seeded.api.faults();
    await seeded.sent();
    await stored.up(program(5433));
    expect(await seeded.sent()).toEqual([
      GET,
      [PATCH, { source: { postgres: { credentials: "[secret]" } } }],
    ]);
  });
});

describe("values that no response shows", () => {
  const program = (path: string) => ({
    ...at(OBJECTS, { objectStorage: { path } }),
    settings: { streamingMaxInsertWaitMs: 900 },
  });
  const names = ["settings.streamingMaxInsertWaitMs", "source.objectStorage.path"];
  const hidden = { source: { objectStorage: { url: "u" } }, settings: { engine_max_threads: 8 } };

  async function adoptHidden() {
    const handlers = pipes();
    await seeded.api.faults({ effect: { kind: "answer", result: hidden } });
    const adopted = await create(handlers, program("a/*"));
    await seeded.sent();
    return { handlers, adopted };
  }

  test("a value that no response shows is named once, causes no drift, and is sent when it changes", async () => {
    const { handlers, adopted } = await adoptHidden();
    expect(adopted.outs.__unseen).toEqual(names);
    const line = `The API's response for pipe ${OBJECTS} does not show ${names.join(", ")}, which the request has set. The state keeps the declared values: a refresh cannot find drift of values that the API never shows. [CDB5021]`;
    expect(handlers.messages.filter((text) => text.includes("CDB5021"))).toEqual([line]);
    const refreshed = await adopted.refresh();
    expect(refreshed.inputs).toMatchObject(program("a/*"));
    expect(await refreshed.diff()).toMatchObject({ changes: false });
    await seeded.sent();
    const changed = await refreshed.update(program("b/*"));
    expect(await seeded.sent()).toEqual([[PATCH, { source: { objectStorage: { path: "b/*" } } }]]);
    expect(changed.outs.__unseen).toEqual(names);
  });

  test("a value that a response has shown is drift once it is missing", async () => {
    const { adopted } = await adoptHidden();
    await seeded.api.faults(
      answer("GET", { ...hidden, settings: { streaming_max_insert_wait_ms: 900 } }),
    );
    const shown = await adopted.refresh();
    expect(shown.outs.__unseen).toEqual(["source.objectStorage.path"]);
    await seeded.api.faults(answer("GET", hidden));
    expect((await shown.refresh()).inputs).not.toHaveProperty("settings");
  });

  test("a value that no response showed is drift once a response contradicts it", async () => {
    const { adopted } = await adoptHidden();
    await seeded.api.faults(
      answer("GET", { ...hidden, source: { objectStorage: { path: "c/*" } } }),
    );
    const { inputs } = await adopted.refresh();
    expect(inputs).toMatchObject({ source: { objectStorage: { path: "c/*" } } });
  });

  test("a value that no response shows is not named again if its next change is refused", async () => {
    const { handlers, adopted } = await adoptHidden();
    const lines = handlers.messages.length;
    await seeded.api.faults(refuse("PATCH", 400));
    await adopted.failedUpdate(program("b/*"));
    expect(handlers.messages.slice(lines)).toEqual([]);
  });

  test("a list that the change has emptied is not named as a value that no response shows", async () => {
    const fieldMappings = [{ sourceField: "a", destinationField: "b" }];
    const adopted = await create(pipes(), { ...at(OBJECTS), fieldMappings });
    await seeded.api.faults(answer("PATCH", { fieldMappings: null }));
    const { outs } = await adopted.update({ ...at(OBJECTS), fieldMappings: [] });
    expect(outs).not.toHaveProperty("__unseen");
  });

  test("a value that the program no longer declares is removed from `__unseen`", async () => {
    const { adopted } = await adoptHidden();
    const { outs } = await adopted.up(at(OBJECTS));
    expect(outs).not.toHaveProperty("__unseen");
  });

  test("a value that no response shows counts as unknown after an unknown outcome", async () => {
    const { adopted } = await adoptHidden();
    await seeded.api.faults(
      { method: "PATCH", effect: { kind: "reset", when: "after" } },
      answer("GET", hidden),
    );
    const { stored } = await adopted.failedUpdate(program("b/*"));
    await seeded.api.faults({ effect: { kind: "answer", result: hidden } });
    await seeded.sent();
    await stored.update(program("a/*"));
    expect((await seeded.sent()).at(-1)).toEqual([
      PATCH,
      { source: { objectStorage: { path: "a/*" } } },
    ]);
  });

  test("a created value that no response shows is named and causes no drift", async () => {
    await seeded.api.faults({ effect: { kind: "answer", result: { idleTimeoutMinutes: null } } });
    const handlers = createHandlers("Service", seeded.api);
    const created = await create(handlers, { idleScaling: false, idleTimeoutMinutes: 15 });
    expect(handlers.messages.join()).toMatch(/does not show idleTimeoutMinutes, .+\[CDB5021\]/);
    expect((await created.refresh()).inputs).toMatchObject({ idleTimeoutMinutes: 15 });
    await seeded.sent();
    await (await created.refresh()).up({ idleScaling: false, idleTimeoutMinutes: 15 });
    expect(await seeded.sent()).toEqual(["GET /services/{id}"]);
  });
});

describe("sources of an unknown kind", () => {
  const MYSQL = { kafka: null, mysql: { host: "db" } };
  const refusal =
    "its source is of a kind that this API does not have but the program declares kafka";

  test("an adoption or update of a source of an unknown kind is refused before a request", async () => {
    await seeded.api.faults(answer("GET", { source: MYSQL }));
    const handlers = pipes();
    const kafka = at(KAFKA, { kafka: { credentials } });
    expect((await failedCreation(handlers, kafka)).message).toContain(refusal);
    const adopted = await create(handlers, at(KAFKA));
    expect((await adopted.failedUpdate(kafka)).message).toContain(refusal);
    expect(await seeded.sent()).toEqual([GET, GET]);
  });

  test("a source of an unknown kind is refused only if an update would send a known change", async () => {
    const settled = await create(pipes(), at(KAFKA, { kafka: { credentials } }));
    await seeded.api.faults(answer("GET", { source: MYSQL }));
    const refreshed = await settled.refresh();
    expect(await refreshed.diff()).toMatchObject({ changes: false });
    const changed = { ...at(KAFKA, { kafka: { credentials } }), settings: { engineMaxThreads: 2 } };
    await expect(refreshed.diff(changed)).rejects.toThrow(refusal);
    await refreshed.diff(at(KAFKA, { kafka: UNKNOWN, postgres: UNKNOWN } as never));
  });

  test.each([
    [null],
    [{}],
    [{ kafka: {} }],
    [{ kafka: null, postgres: null }],
    [{ type: "kafka" }],
  ])("the source %j is not of an unknown kind", async (source) => {
    await seeded.api.faults(answer("GET", { source }));
    await create(pipes(), at(KAFKA, { kafka: { credentials } }));
    expect(await seeded.sent()).toHaveLength(2);
  });
});
