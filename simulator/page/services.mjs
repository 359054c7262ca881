import { collapsible, descriptionList, element, fillSection, plural, setCount } from "./dom.mjs";
import { services } from "./model.mjs";

/** @typedef {import("../state/state").SerializedService} Service */

/** The scales of the bars: the specification's bounds. */
const MAX_MEMORY_GB = 356;
const MAX_REPLICAS = 20;
const MAX_CARDS = 200;

/** The members of a service that a card omits or shows in a special form. */
const SPECIAL_MEMBERS = new Set([
  ...["id", "name", "createdAt", "dataWarehouseId", "isPrimary", "pipes", "fixed", "protocols", "ipAccessList"],
  ...["minReplicaMemoryGb", "maxReplicaMemoryGb", "numReplicas", "idleScaling", "idleTimeoutMinutes"],
  ...["privateEndpointIds", "transparentDataEncryptionKeyId"],
]);

const filter = /** @type {HTMLInputElement} */ (document.getElementById("filter"));
filter.addEventListener("input", drawServices);

export function drawServices() {
  const wanted = filter.value.toLowerCase();
  const matches = [...services.values()].filter(
    ({ id, name }) => id.includes(wanted) || name.toLowerCase().includes(wanted),
  );
  const cards = matches.slice(-MAX_CARDS).reverse();
  const isAll = cards.length === services.size;
  setCount("services", isAll ? services.size : `${cards.length} of ${services.size}`);
  fillSection(
    "services",
    cards.map(drawCard),
    services.size > 0 ? "No service matches the filter." : "No services yet. They appear when they are created.",
  );
}

/**
 * Puts a service on the page if the filter, or the number of services, keeps it off.
 * @param {string} id
 */
export function showService(id) {
  if (document.getElementById(cardId({ id }))) return;
  filter.value = id;
  drawServices();
}

/** @param {{ id: string }} service */
function cardId({ id }) {
  return `service-${id}`;
}

/** @param {Service} service */
function drawCard(service) {
  const { id, name, ipAccessList, protocols, fixed } = service;
  return element(
    "article.card",
    { id: cardId(service), tabindex: -1 },
    element("h3", {}, name),
    element("p.id", {}, id),
    memoryBar(service),
    replicaBlocks(service),
    descriptionList({
      Idle: service.idleScaling ? `scales to zero after ${service.idleTimeoutMinutes} minutes` : "never scales to zero",
      Endpoints: protocols.join(", ") || "none",
      "Private endpoints": service.privateEndpointIds.join(", "),
      "Encryption key": service.transparentDataEncryptionKeyId,
      "Bring your own cloud": /** @type {string | undefined} */ (fixed.byocId),
      "Read only": fixed.isReadonly === true ? "yes" : undefined,
      Warehouse: service.isPrimary ? undefined : service.dataWarehouseId,
      ...otherValues(service),
    }),
    collapsible(`${id} access`, `Access list (${ipAccessList.length})`, accessList(ipAccessList)),
  );
}

/**
 * All other members, under their names: `releaseChannel` is "Release channel".
 * @param {Service} service
 */
function otherValues(service) {
  const others = Object.entries(service).filter(([name]) => !SPECIAL_MEMBERS.has(name));
  return Object.fromEntries(others.map(([name, value]) => [label(name), String(value)]));
}

/** @param {string} name */
function label(name) {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** @param {Service} service */
function memoryBar({ minReplicaMemoryGb: min, maxReplicaMemoryGb: max, numReplicas }) {
  const text = `${min} to ${max} GB per replica, up to ${max * numReplicas} GB in total`;
  const percent = (/** @type {number} */ gb) => `${(100 * gb) / MAX_MEMORY_GB}%`;
  const band = element("span.band", { style: `left: ${percent(min)}; right: calc(100% - ${percent(max)})` });
  return element("div.measure", {}, element("div.bar", { role: "img", "aria-label": `Memory: ${text}` }, band), text);
}

/** @param {Service} service */
function replicaBlocks({ numReplicas }) {
  const text = plural(numReplicas, "replica");
  const blocks = Array.from({ length: MAX_REPLICAS }, (_, index) =>
    element(index < numReplicas ? "span.block.used" : "span.block"),
  );
  return element("div.measure", {}, element("div.blocks", { role: "img", "aria-label": text }, ...blocks), text);
}

/** @param {Service["ipAccessList"]} list */
function accessList(list) {
  if (list.length === 0) return element("p.none", {}, "Empty: no address has access.");
  const rows = list.map(({ source, description = "" }) =>
    element("tr", {}, element("td.source", {}, source), element("td", {}, description)),
  );
  const head = element(
    "tr",
    {},
    element("th", { scope: "col" }, "Source"),
    element("th", { scope: "col" }, "Description"),
  );
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows));
}
