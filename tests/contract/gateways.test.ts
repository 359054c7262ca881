import { createRedactor } from "../../facts";
import { createStatusError, type RequestFacts } from "../../provider/api/errors";
import { parseResponse } from "../../provider/api/response";
import { describeFailure } from "../../provider/core/user-error";
import { render } from "../../provider/errors";

/** Every error status with the bodies of gateways: the sentence is plain text, and its advice can help. */

const padding = "<!-- a padding to disable MSIE and Chrome friendly error page -->\r\n".repeat(6);
const BODIES: Readonly<Record<string, (status: number) => [body: string, text: string]>> = {
  nginx: (status) => [
    `<html>\r\n<head><title>${status} Some Reason</title></head>\r\n<body>\r\n<center><h1>${status} Some Reason</h1></center>\r\n<hr><center>nginx/1.22.1</center>\r\n</body>\r\n</html>\r\n${padding}`,
    `${status} Some Reason`,
  ],
  HAProxy: (status) => [
    `<html><body><h1>${status} Service Unavailable</h1>\nNo server is available to handle this request.\n</body></html>\n`,
    `${status} Service Unavailable`,
  ],
  squid: () => [
    '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">\n<html><head>\n<meta type="copyright" content="Copyright (C) 1996-2021 The Squid Software Foundation and contributors">\n<title>ERROR: The requested URL could not be retrieved</title>\n<style type="text/css"><!-- \n body { font: 80% sans-serif } h1 > p { color: red } \n--></style>\n</head><body id=ERR_CONNECT_FAIL>\n<h1>ERROR</h1>\n<h2>The requested URL could not be retrieved</h2>',
    "ERROR: The requested URL could not be retrieved",
  ],
  Envoy: () => [
    "upstream connect error or disconnect/reset before headers. reset reason: connection failure",
    "upstream connect error or disconnect/reset before headers. reset reason: connection failure",
  ],
  "an AWS gateway": () => ['{"message":"Missing Authentication Token"}', "Missing Authentication Token"],
  Cloudflare: (status) => [
    `<!DOCTYPE html>\n<!--[if lt IE 7]> <html class="no-js ie6 oldie" lang="en-US"> <![endif]-->\n<!--[if gt IE 8]><!--> <html class="no-js" lang="en-US"> <!--<![endif]-->\n<head>\n<title>api.example.com | ${status}: Bad gateway</title>\n<meta charset="UTF-8" />\n<script>(function(){ if (a < b && c > d) document.write("<title>x</title>") })()</script>`,
    `api.example.com | ${status}: Bad gateway`,
  ],
  "a page in JSON": () => [
    JSON.stringify({
      message: "<html><body><h2>It&#39;s&nbsp;down</h2><p>Ask &lt;ops&gt;\n &amp; wait</p></body></html>",
    }),
    "It's down Ask <ops> & wait",
  ],
  "a page without a title": () => [
    "<script>var a = '<p>no</p>'</script><b>Http/1.1 Service&#x20;Unavailable</b>",
    "Http/1.1 Service Unavailable",
  ],
  "an empty title": () => ["<title> </title><h1>Not\n<i>here</i></h1><p>more</p>", "Not here"],
  "an empty object": () => ["{}", ""],
  null: () => ["null", ""],
  "compressed data": () => ["\u001f\ufffd\b\u0000\u0000", ""],
  nothing: () => ["", ""],
};

const request: RequestFacts = { api: "management", method: "GET", path: "/v1/organizations", attempts: 1 };
const redactor = createRedactor();
redactor.addSecrets(["hush"]);
function sentenceFor(status: number, body: string, headers = {}): string {
  const raw = { status, body, headers };
  const error = createStatusError(request, parseResponse(raw, 0, redactor.redact));
  return render(describeFailure("Reading it", error, ["Nothing was changed."]));
}

const ADDRESS = "clouddb:baseUrl (CLOUDDB_BASE_URL)";
const GATEWAYS = `Check that ${ADDRESS} is the base URL of the API, without its version, and check the proxies and gateways on the way to it.`;
const REPEAT = "Run the same command again; it sends only what still differs.";
const NOT_READY = "It is not ready for changes yet: wait a moment, then run `pulumi up` again.";
const SPECIAL: Readonly<Record<number, RegExp | string>> = {
  401: /^Check clouddb:keyId/,
  407: /HTTPS_PROXY or HTTP_PROXY/,
  408: REPEAT,
  409: NOT_READY,
  413: /declare shorter lists\.$/,
  423: NOT_READY,
  424: NOT_READY,
  425: NOT_READY,
  429: "Wait until the rate limit resets, then run the same command again.",
  431: /^The request's headers are too large .+ check that clouddb:keyId .+ cookies\.$/,
  501: GATEWAYS,
  505: GATEWAYS,
  506: GATEWAYS,
  510: GATEWAYS,
  511: /log in/,
  525: GATEWAYS,
  526: GATEWAYS,
};

describe.each(Object.entries(BODIES))("a response of %s", (_, bodyOf) => {
  test("the page of a gateway becomes a sentence with advice for its status", () => {
    for (let status = 300; status < 600; status += 1) {
      const [body, text] = bodyOf(status);
      const sentence = sentenceFor(status, body);
      const reason = text === "" ? "" : `: ${text}`;
      const start = `Reading it: the server returned ${status} with a body that is not from the API${reason} (GET /v1/organizations). Nothing was changed. `;
      expect(sentence.slice(0, start.length)).toBe(start);
      const advice = sentence.slice(start.length).replace(/ \[CDB3\d{3}\]$/, "");
      const expected = SPECIAL[status] ?? (status < 500 ? GATEWAYS : REPEAT);
      expect(advice).toEqual(expected instanceof RegExp ? expect.stringMatching(expected) : expected);
    }
  });
});

test("a redirect names the host that it leads to, and nothing else of the address", () => {
  const redirected = (location: string) => sentenceFor(301, "", { location });
  expect(redirected("https://user:key@login.example.com:8443/path?token=1")).toContain(
    "the server returned 301, a redirect to login.example.com:8443, with a body that is not from the API (GET",
  );
  expect(redirected("/elsewhere")).toContain("the server returned 301 with a body");
});

test("no spelling of a secret in a page is shown", () => {
  expect(sentenceFor(502, "<title>key hush and hu&#115;h and hu<b></b>sh</title>")).toContain(
    ": key [secret] and [secret] and [secret] (",
  );
});

test.each<[string, string]>([
  ["a megabyte of <", "<".repeat(1_000_000)],
  ["a megabyte of tags", "<title".repeat(200_000)],
  ["a megabyte of comments", "<!--".repeat(250_000)],
  ["a megabyte of scripts", "<script>".repeat(125_000)],
  ["a megabyte of entities", `<p>${"&#".repeat(500_000)}`],
  ["characters that do not exist", "<p>&#9999999; &#xd800; &#x110000; &unknown;</p>"],
])("a response of %s becomes a text of bounded length", (_, body) => {
  const sentence = sentenceFor(502, body);
  expect(sentence.length).toBeLessThan(700);
  expect(sentence.isWellFormed()).toBe(true);
});

test("a refusal of the API itself advises to fix what it names", () => {
  for (const status of [400, 402, 405, 410, 415, 422, 451]) {
    const body = JSON.stringify({ requestId: "r-1", status, error: "REASON: use <p>, not &lt;" });
    expect(sentenceFor(status, body)).toBe(
      `Reading it: the API returned ${status}, REASON: use <p>, not &lt; (GET /v1/organizations, request id r-1). Nothing was changed. Fix the problem named in the API's response. [CDB3400]`,
    );
  }
});
