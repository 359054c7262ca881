import https from "node:https";
import { environmentProxy } from "./proxy";

const NAMES = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];
const agent = new https.Agent();
const environment = { ...process.env };

beforeEach(() => {
  for (const name of NAMES) delete process.env[name];
});
afterAll(() => {
  process.env = environment;
});

function proxyFrom(variables: Record<string, string>) {
  Object.assign(process.env, variables);
  return environmentProxy("https:", agent, new AbortController().signal);
}

test.each([
  ["is named without its login", { HTTPS_PROXY: "http://me:hush@proxy.example:8080" }],
  ["without a scheme is an HTTP proxy", { HTTPS_PROXY: "me:hush@proxy.example:8080" }],
  [
    "in lower case counts before all others",
    { https_proxy: "http://proxy.example:8080", HTTPS_PROXY: "http://b", ALL_PROXY: "http://c" },
  ],
  ["for all schemes counts where no other is set", { ALL_PROXY: "http://proxy.example:8080" }],
])("a proxy %s", (_, variables) => {
  const { variable, place } = proxyFrom(variables);
  expect([variable, place]).toEqual([Object.keys(variables)[0], "http://proxy.example:8080"]);
});

test.each([
  ["socks5://me:hush@proxy.example:1080", "names socks5://proxy.example:1080"],
  ["http://me:hush@", "is not a URL"],
])("a tunnel through %s is refused, with a reason that shows no login", (value, says) => {
  const proxy = proxyFrom({ HTTPS_PROXY: value });
  expect(proxy.problem).toBe(
    `HTTPS_PROXY ${says}: only HTTP proxies, such as http://host:port, are supported`,
  );
  expect(() => proxy.apply({ agent: new https.Agent() })).toThrow(
    expect.objectContaining({ code: "ERR_INVALID_URL" }),
  );
});

test("a request without a proxy is unchanged", () => {
  const options = { agent, path: "/v1", headers: {} };
  expect(proxyFrom({ HTTPS_PROXY: "http://me:hush@proxy.example:8080" }).apply(options)).toBe(
    false,
  );
  expect(options).toEqual({ agent, path: "/v1", headers: {} });
});
