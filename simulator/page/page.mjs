import { callAdmin } from "./admin.mjs";
import { prepareRateLimitForm, setClock } from "./controls.mjs";
import { drawAlerts, drawDashboards } from "./dashboards.mjs";
import { descriptionList, element, fillSection } from "./dom.mjs";
import { drawFaults, prepareFaultForm } from "./faults.mjs";
import { readSchemas } from "./form.mjs";
import { organizations, services } from "./model.mjs";
import { drawPipes } from "./pipes.mjs";
import { drawRequests } from "./requests.mjs";
import { drawServices } from "./services.mjs";

/** @typedef {import("../simulation/journal").JournalEntry} Entry */

const POLL_MS = 1000;
const connection = /** @type {HTMLElement} */ (document.getElementById("connection"));

let isPrepared = false;
/** The state and the requests that the page shows, as JSON. */
let drawn = ["", ""];

poll();

/** Asks once a second. A round ends before the next one begins, so no older response is drawn over a newer one. */
async function poll() {
  const responses = await readResponses().catch(() => undefined);
  if (responses === undefined) {
    connection.textContent = "No response from the simulator; trying again";
    connection.className = "broken";
  } else {
    const [state, { requests }, { now }] = responses;
    setClock(now);
    draw(state, requests);
    connection.textContent = "live";
    connection.className = "live";
  }
  setTimeout(poll, POLL_MS);
}

async function readResponses() {
  if (!isPrepared) await prepareForms();
  return Promise.all(["state", "requests", "clock"].map((path) => callAdmin("GET", path)));
}

async function prepareForms() {
  const { RateLimit, FaultRule } = await readSchemas();
  prepareRateLimitForm(RateLimit);
  prepareFaultForm(FaultRule);
  isPrepared = true;
}

/**
 * Draws what has changed.
 * @param {any} state
 * @param {Entry[]} requests
 */
function draw(state, requests) {
  const current = [JSON.stringify(state), JSON.stringify(requests)];
  const [isSameState, isSameJournal] = current.map((text, index) => text === drawn[index]);
  drawn = current;
  if (!isSameState) drawState(state);
  // The list has the names of objects.
  if (!isSameState || !isSameJournal) drawRequests(requests);
}

/** @param {any} state */
function drawState(state) {
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
