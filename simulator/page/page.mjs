import { drawAlerts, drawDashboards } from "./dashboards.mjs";
import { descriptionList, element, fillSection, setCount } from "./dom.mjs";
import { organizations, services } from "./model.mjs";
import { drawPipes } from "./pipes.mjs";
import { addRequest, drawRequests } from "./requests.mjs";
import { drawServices, redrawService } from "./services.mjs";

/**
 * @typedef {import("../state/state").SerializedOrganization} Organization
 * @typedef {import("../state/state").SerializedService} Service
 * @typedef {import("../simulation/fault-rules").FaultRule} FaultRule
 * @typedef {import("../simulation/rate-limit").RateLimit} RateLimit
 * @typedef {import("../simulation/journal").JournalEntry} Entry
 * @typedef {{ organization: Organization, service?: Service }} Changed
 */

const RETRY_MS = 1000;

/**
 * The changes that arrive while everything is read.
 * @type {Changed[] | undefined}
 */
let missed;
const filter = /** @type {HTMLInputElement} */ (document.getElementById("filter"));
const connection = /** @type {HTMLElement} */ (document.getElementById("connection"));

filter.addEventListener("input", drawAllServices);
connect();

/** Changes arrive as events; the state is read when the stream starts and after every reconnection. */
function connect() {
  const events = new EventSource("/__admin/events");
  on(events, "hello", load);
  on(events, "steered", load);
  on(events, "request", (/** @type {Entry} */ entry) => {
    addRequest(entry);
    // The request may have used up a rule.
    if (entry.fault) void read("state").then(({ faults, rateLimit }) => drawFaults(faults, rateLimit));
  });
  on(events, "changed", (/** @type {Changed} */ changed) => {
    if (missed) missed.push(changed);
    else apply(changed);
  });
  events.addEventListener("error", () => {
    connection.textContent = "No response from the simulator; reconnecting";
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
    missed.forEach(apply);
    missed = undefined;
  } catch {
    setTimeout(load, RETRY_MS);
  }
}

/**
 * @param {any} state
 * @param {{ requests: Entry[] }} journal
 */
function draw(state, journal) {
  organizations.clear();
  services.clear();
  for (const { services: contained, ...organization } of state.organizations) {
    organizations.set(organization.id, organization);
    for (const service of contained) services.set(service.id, service);
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
function apply({ organization, service }) {
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
  fillSection(
    "organization",
    [...organizations.values()].map(({ id, name, tier, paid, privateEndpoints, byocConfig }) =>
      element(
        "article.card",
        { id: `organization-${id}` },
        element("h3", {}, name),
        element("p.id", {}, id),
        descriptionList({
          Tier: `${tier}, ${paid ? "paid" : "not paid"}`,
          "Private endpoints": list(privateEndpoints.map((each) => [each.id, each.description])),
          "Bring your own cloud": list(byocConfig.map((each) => [each.id, each.accountName])),
        }),
      ),
    ),
    "No organizations in the seed.",
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
  setCount("faults", lines.length);
  fillSection(
    "faults",
    lines.length > 0 ? [element("ul", {}, ...lines)] : [],
    "No faults: requests are executed normally.",
  );
}
