import { drawAlerts, drawDashboards } from "./dashboards.mjs";
import { count, element, facts, fill } from "./dom.mjs";
import { organizations, services } from "./known.mjs";
import { drawPipes } from "./pipes.mjs";
import { addRequest, drawRequests } from "./requests.mjs";
import { drawServices, redrawService } from "./services.mjs";

/**
 * @typedef {import("../world/world").PlainOrganization} Organization
 * @typedef {import("../world/world").PlainService} Service
 * @typedef {import("../faults/rules").FaultRule} FaultRule
 * @typedef {import("../faults/rate-limit").RateLimit} RateLimit
 * @typedef {import("../admin/journal").JournalEntry} Entry
 * @typedef {{ organization: Organization, service?: Service }} Changed
 */

const TRY_AGAIN_MS = 1000;

/**
 * What changes while everything is read.
 * @type {Changed[] | undefined}
 */
let missed;
const filter = /** @type {HTMLInputElement} */ (document.getElementById("filter"));
const connection = /** @type {HTMLElement} */ (document.getElementById("connection"));

filter.addEventListener("input", drawAllServices);
connect();

/** What happens comes as events; what there is, is read when they begin, and after every break. */
function connect() {
  const events = new EventSource("/__admin/events");
  on(events, "hello", load);
  on(events, "steered", load);
  on(events, "request", (/** @type {Entry} */ entry) => {
    addRequest(entry);
    // A rule may be used up by it.
    if (entry.fault) void read("state").then(({ faults, rateLimit }) => drawFaults(faults, rateLimit));
  });
  on(events, "changed", (/** @type {Changed} */ changed) => {
    if (missed) missed.push(changed);
    else keep(changed);
  });
  events.addEventListener("error", () => {
    connection.textContent = "the simulator does not answer; trying again";
    connection.className = "broken";
  });
}

/**
 * @param {EventSource} events
 * @param {string} name
 * @param {(data: any) => unknown} react
 */
function on(events, name, react) {
  events.addEventListener(name, (event) => react(JSON.parse(event.data)));
}

async function load() {
  missed ??= [];
  try {
    const [state, journal] = await Promise.all([read("state"), read("requests")]);
    draw(state, journal);
    missed.forEach(keep);
    missed = undefined;
  } catch {
    setTimeout(load, TRY_AGAIN_MS);
  }
}

/**
 * @param {any} state
 * @param {{ requests: Entry[] }} journal
 */
function draw(state, journal) {
  organizations.clear();
  services.clear();
  for (const { services: ofIt, ...organization } of state.organizations) {
    organizations.set(organization.id, organization);
    for (const service of ofIt) services.set(service.id, service);
  }
  drawOrganizations();
  drawAllServices();
  drawPipes([...services.values()]);
  drawDashboards(state.dashboards);
  drawAlerts(state.alerts);
  drawFaults(state.faults, state.rateLimit);
  drawRequests(journal.requests);
  connection.textContent = "live";
  connection.className = "live";
}

/** @param {"state" | "requests"} name */
async function read(name) {
  return (await fetch(`/__admin/${name}`)).json();
}

/** @param {Changed} changed */
function keep({ organization, service }) {
  organizations.set(organization.id, organization);
  drawOrganizations();
  if (service === undefined) return;
  const isNew = !services.has(service.id);
  services.set(service.id, service);
  if (service.pipes.length > 0) drawPipes([...services.values()]);
  if (isNew || !redrawService(service)) drawAllServices();
  if (isNew) redrawService(service);
}

function drawAllServices() {
  drawServices([...services.values()], filter.value);
}

function drawOrganizations() {
  fill(
    "organization",
    [...organizations.values()].map(({ id, name, tier, paid, privateEndpoints, byocConfig }) =>
      element(
        "article.card",
        { id: `organization-${id}` },
        element("h3", {}, name),
        element("p.id", {}, id),
        facts({
          Tier: `${tier}, ${paid ? "paid" : "not paid"}`,
          "Private endpoints": list(privateEndpoints.map((each) => [each.id, each.description])),
          "Bring your own cloud": list(byocConfig.map((each) => [each.id, each.accountName])),
        }),
      ),
    ),
    "None: the seed has no organization.",
  );
}

/** @param {readonly (readonly [string, string | undefined])[]} entries */
function list(entries) {
  if (entries.length === 0) return "none";
  return element(
    "ul",
    {},
    ...entries.map(([id, text]) => element("li", {}, element("code", {}, id), text ? ` ${text}` : "")),
  );
}

/**
 * @param {readonly FaultRule[]} rules
 * @param {RateLimit | undefined} rateLimit
 */
function drawFaults(rules, rateLimit) {
  const lines = rules.map(({ method = "any", path = "", times, probability, effect }) => {
    const { kind, ...details } = effect;
    const often = [times && `${times} times`, probability !== undefined && `${100 * probability} %`].filter(Boolean);
    const rest = Object.keys(details).length > 0 ? JSON.stringify(details) : "";
    return element(
      "li",
      {},
      element("span.fault", {}, kind),
      ` ${method} ${path} `,
      often.length > 0 && `(${often.join(", ")}) `,
      rest && element("code", {}, rest),
    );
  });
  if (rateLimit) {
    const text = ` ${rateLimit.requests} requests in ${rateLimit.seconds} s`;
    lines.push(element("li", {}, element("span.fault", {}, "rate limit"), text));
  }
  count("faults", lines.length);
  fill("faults", lines.length > 0 ? [element("ul", {}, ...lines)] : [], "None: every request is carried out.");
}
