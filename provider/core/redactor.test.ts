import { createRedactor } from "pulumi-clouddb-facts";
import { credentialSecrets } from "./redactor";

function knowing(...secrets: string[]) {
  const redactor = createRedactor();
  redactor.addSecrets(secrets);
  return redactor;
}

const inAddress = encodeURIComponent;
const inForm = (text: string) => new URLSearchParams({ a: text }).toString().slice(2);

test("contains no key in an echoed header", () => {
  const keyId = "kéy";
  const keySecret = 's3cret"hush?>';
  const redactor = knowing(...credentialSecrets({ keyId, keySecret, accessToken: "t0ken-hush" }));
  const header = Buffer.from(`${keyId}:${keySecret}`).toString("base64");
  expect(header).toMatch(/[+/=]/);
  for (const written of [header, inAddress(header), inForm(header), header.replaceAll("/", "\\/")]) {
    const line = redactor.redact(`401 for Authorization: Basic ${written}; ${keySecret}; Bearer t0ken-hush.`);
    expect(line).toMatch(/^401 for Authorization: Basic \[secret\](=|%3D)*; \[secret\]; Bearer \[secret\]\.$/);
  }
});

test("contains no password of a server that shares the rate limit", () => {
  const rateLimitUrl = "rediss://user:p%40ss%20w0rd@redis.example.com";
  const { redact } = knowing(...credentialSecrets({ rateLimitUrl }));
  const line = `${rateLimitUrl}, p@ss w0rd, p%40ss%20w0rd, redis.example.com`;
  expect(redact(line)).toBe("[secret], [secret], [secret], redis.example.com");
  expect(credentialSecrets({ rateLimitUrl: "redis://redis.example.com" })).toEqual(["redis://redis.example.com"]);
});
