import { callAdmin } from "./admin.mjs";
import { prepareRateLimitForm, setClock } from "./controls.mjs";
import { drawAlerts, drawDashboards } from "./dashboards.mjs";
import { descriptionList, element, fillSection } from "./dom.mjs";
import { drawFaults, prepareFaultForm } from "./faults.mjs";
import { readSchemas } from "./form.mjs";
import { organizations, services } from "./model.mjs";
import { drawPipes } from "./pipes.mjs";
import { addRequest, drawRequests } from "./requests.mjs";
import { drawServices, redrawService } from "./services.mjs";
import { showSettings } from "./settings.mjs";

/**
 * @typedef {import("../state/state").SerializedOrganization} Organization
 * @typedef {import("../state/state").SerializedService} Service
 * @typedef {import("../simulation/journal").JournalEntry} Entry
 * @typedef {{ organization: Organization, service?: Service }} Changed
 */

const RETRY_MS = 1000;

/**
 * The events that arrive while everything is read.
 * @type {(() => void)[] | undefined}
 */
let missed;
let isPrepared = false;
const connection = /** @type {HTMLElement} */ (document.getElementById("connection"));

const load = oneAtATime(readAll);
// A lost connection reads everything again.
const readFaults = oneAtATime(() => readUsedFaults().catch(() => {}));

connect();

/** Changes arrive as events; the state is read when the stream starts and after every reconnection. */
function connect() {
  const events = new EventSource("/__admin/events");
  on(events, "hello", load);
  on(events, "steered", load);
  on(events, "clock", ({ now }) => apply(() => setClock(now)));
  on(events, "request", (/** @type {Entry} */ entry) => {
    apply(() => addRequest(entry));
    // The request may have used up a rule.
    if (entry.fault) apply(readFaults);
  });
  on(events, "changed", (/** @type {Changed} */ changed) => apply(() => drawChange(changed)));
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

/** Reads and draws everything. Events before the read are in what it returns; later ones follow. */
async function readAll() {
  missed = [];
  const responses = await readResponses().catch(() => undefined);
  if (responses === undefined) {
    setTimeout(load, RETRY_MS);
    return;
  }
  const [state, journal, { now }, credentials] = responses;
  setClock(now);
  draw(state, journal);
  showSettings(journal.requests.length === 0, credentials);
  const events = missed;
  missed = undefined;
  for (const event of events) event();
}

async function readResponses() {
  if (!isPrepared) await prepareForms();
  return Promise.all(["state", "requests", "clock", "credentials"].map((path) => callAdmin("GET", path)));
}

/** Reads the rules, unless everything is being read. */
async function readUsedFaults() {
  const [faults, rateLimit] = await Promise.all([callAdmin("GET", "faults"), callAdmin("GET", "rate-limit")]);
  if (missed === undefined) drawFaults(faults.faults, rateLimit.requests === undefined ? undefined : rateLimit);
}

/**
 * A task that never runs twice at once: asked for meanwhile, it runs again afterwards. An older response is then never
 * drawn over a newer one.
 * @param {() => Promise<void>} task
 */
function oneAtATime(task) {
  let isRunning = false;
  let isAgain = false;
  return async () => {
    isAgain = true;
    if (isRunning) return;
    isRunning = true;
    try {
      while (isAgain) {
        isAgain = false;
        await task();
      }
    } finally {
      isRunning = false;
    }
  };
}

async function prepareForms() {
  const { RateLimit, FaultRule } = await readSchemas();
  prepareRateLimitForm(RateLimit);
  prepareFaultForm(FaultRule);
  isPrepared = true;
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
  drawServices();
  drawPipes([...services.values()]);
  drawDashboards(state.dashboards);
  drawAlerts(state.alerts);
  drawFaults(state.faults, state.rateLimit);
  drawRequests(journal.requests);
  connection.textContent = "live";
  connection.className = "live";
}

/** @param {() => void} event */
function apply(event) {
  if (missed) missed.push(event);
  else event();
}

/** @param {Changed} changed */
function drawChange({ organization, service }) {
  organizations.set(organization.id, organization);
  drawOrganizations();
  if (service === undefined) return;
  const isNew = !services.has(service.id);
  services.set(service.id, service);
  if (service.pipes.length > 0) drawPipes([...services.values()]);
  if (isNew || !redrawService(service)) drawServices();
  if (isNew) redrawService(service);
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
