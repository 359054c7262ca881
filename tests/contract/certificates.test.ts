import { createServer } from "node:https";
import { certificateFile, serve, trustTestCertificate } from "../support/local-server";
import { create, createHandlers, failedCreation } from "./support";

/** Untrusted servers: no request is ever sent to them, and the message says why. */

const ID = "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640";
let requests = 0;
beforeEach(() => {
  requests = 0;
});
afterEach(() => jest.restoreAllMocks());

/** The handlers of a service on a server with this certificate. */
async function handlersAt(certificate: string) {
  const server = createServer(
    { key: certificateFile("key.pem"), cert: certificateFile(certificate) },
    (_, response) => {
      requests += 1;
      response.end(
        JSON.stringify({ status: 200, result: { service: { id: ID }, password: "pw" } }),
      );
    },
  );
  const baseUrl = `https://127.0.0.1:${await serve(server)}`;
  return createHandlers("Service", {
    baseUrl,
    keyId: "key",
    keySecret: "s3cret",
    organizationId: ID,
  });
}

test("a creation succeeds with a valid certificate", async () => {
  trustTestCertificate();
  const { outs } = await create(await handlersAt("certificate.pem"), {});
  expect(outs.password).toBe("pw");
  expect(requests).toBe(1);
});

test.each([
  ["that has expired", "expired.pem", "CERT_HAS_EXPIRED", true],
  ["for another host", "other-host.pem", "ERR_TLS_CERT_ALTNAME_INVALID", true],
  ["for clients only", "client-only.pem", "INVALID_PURPOSE", true],
  ["that is self-signed", "certificate.pem", "DEPTH_ZERO_SELF_SIGNED_CERT", false],
  ["of an unknown issuer", "other-host.pem", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", false],
])(
  "a certificate %s stops a creation before its request",
  async (_, certificate, code, isTrusted) => {
    if (isTrusted) trustTestCertificate();
    const { message } = await failedCreation(await handlersAt(certificate), {});
    expect(message).toContain(
      `the server's certificate is not trusted: ${code} (POST /v1/organizations/${ID}/services). `,
    );
    expect(message).toMatch(/Nothing was created\..* \[CDB3002\]$/);
    expect(requests).toBe(0);
  },
);
