import { collapsible, descriptionList, element, fillSection, setCount } from "./dom.mjs";

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

/**
 * @param {readonly Service[]} services
 * @param {string} filter
 */
export function drawServices(services, filter) {
  const wanted = filter.toLowerCase();
  const matches = services.filter(({ id, name }) => id.includes(wanted) || name.toLowerCase().includes(wanted));
  const cards = matches.slice(-MAX_CARDS).reverse();
  const isAll = cards.length === services.length;
  setCount("services", isAll ? services.length : `${cards.length} of ${services.length}`);
  fillSection(
    "services",
    cards.map(drawCard),
    services.length > 0 ? "No service matches the filter." : "No services yet. They appear when they are created.",
  );
}

/**
 * Redraws a changed service in place; returns true if its card was on the page.
 * @param {Service} service
 */
export function redrawService(service) {
  const old = document.getElementById(cardId(service));
  const drawn = drawCard(service);
  drawn.classList.add("changed");
  old?.replaceWith(drawn);
  return old !== null;
}

/** @param {Service} service */
function cardId({ id }) {
  return `service-${id}`;
}

/** @param {Service} service */
function drawCard(service) {
  const { id, name, ipAccessList, protocols, fixed } = service;
  return element(
    "article.card",
    { id: cardId(service) },
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
  const text = `${numReplicas} ${numReplicas === 1 ? "replica" : "replicas"}`;
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
