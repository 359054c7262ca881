import { createServer } from "node:https";
import { createClient } from "../../provider/api/client";
import { endpoints } from "../../provider/api/endpoints";
import { basic } from "../../provider/api/http";
import { settingsTable } from "../../provider/core/settings";
import { serve } from "../support/local-server";
import { file, trustTestCertificate } from "./certificate/trust";
import { fakeClock } from "./support";

/** Untrusted servers: no request is ever sent to them, and the message says why. */

const ID = "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640";
afterEach(() => jest.restoreAllMocks());

/** Creates a service on a server with this certificate; returns the result and the number of requests. */
async function createAt(certificate: string) {
  let requests = 0;
  const server = createServer({ key: file("key.pem"), cert: file(certificate) }, (_, response) => {
    requests += 1;
    response.end(JSON.stringify({ status: 200, result: { service: { id: ID }, password: "pw" } }));
  });
  const client = createClient(
    {
      baseUrl: `https://127.0.0.1:${await serve(server)}`,
      authorization: basic("key", "s3cret"),
      requestTimeoutSeconds: 5,
      maxRetries: 3,
      userAgent: "test/1",
    },
    { clock: fakeClock(), random: () => 1, log: () => {}, redact: (text) => text },
  );
  const parameters = { organizationId: ID };
  const creation = client.call(endpoints.createService, parameters, {
    body: {},
    idempotency: "create",
  });
  return { outcome: await creation.catch((error: unknown) => error), asked: () => requests };
}

test("a creation succeeds with a valid certificate", async () => {
  trustTestCertificate();
  const { outcome, asked } = await createAt("certificate.pem");
  expect(outcome).toMatchObject({ password: "pw" });
  expect(asked()).toBe(1);
});

test.each([
  ["that has expired", "expired.pem", "CERT_HAS_EXPIRED", true],
  ["for another host", "other-host.pem", "ERR_TLS_CERT_ALTNAME_INVALID", true],
  ["for clients only", "client-only.pem", "INVALID_PURPOSE", true],
  ["that is self-signed", "certificate.pem", "DEPTH_ZERO_SELF_SIGNED_CERT", false],
  ["of an unknown issuer", "other-host.pem", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", false],
])("a certificate %s stops a creation before it is sent", async (_, certificate, code, isTrusted) => {
  if (isTrusted) trustTestCertificate();
  const { outcome, asked } = await createAt(certificate);
  expect(outcome).toMatchObject({ code: "CDB3002", mayHaveSucceeded: false, request: { attempts: 1 } });
  expect(String(outcome)).toContain(`the server's certificate is not trusted: ${code} (POST `);
  expect(asked()).toBe(0);
});

test("no setting is about certificates", () => {
  expect(Object.keys(settingsTable).join()).not.toMatch(/tls|verify|reject|certificate/i);
});
