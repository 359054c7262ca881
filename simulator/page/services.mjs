import { count, element, facts, fill, folded } from "./dom.mjs";

/** @typedef {import("../world/world").PlainService} Service */

/** The specification's bounds, which the bars are drawn on. */
const MOST_MEMORY_GB = 356;
const MOST_REPLICAS = 20;
const MOST_SHOWN = 200;

/**
 * @param {readonly Service[]} services
 * @param {string} filter
 */
export function drawServices(services, filter) {
  const wanted = filter.toLowerCase();
  const found = services.filter(({ id, name }) => id.includes(wanted) || name.toLowerCase().includes(wanted));
  const shown = found.slice(-MOST_SHOWN).reverse();
  const isAll = shown.length === services.length;
  count("services", isAll ? services.length : `${shown.length} of ${services.length}`);
  fill(
    "services",
    shown.map(card),
    services.length > 0 ? "None of that name." : "None yet: they appear as they are created.",
  );
}

/**
 * Draws one again that has changed, where it stands.
 * @param {Service} service
 */
export function redrawService(service) {
  const old = document.getElementById(cardId(service));
  const drawn = card(service);
  drawn.classList.add("changed");
  old?.replaceWith(drawn);
  return old !== null;
}

/** @param {Service} service */
function cardId({ id }) {
  return `service-${id}`;
}

/** @param {Service} service */
function card(service) {
  const { id, name, ipAccessList, protocols, fixed } = service;
  return element(
    "article.card",
    { id: cardId(service) },
    element("h3", {}, name),
    element("p.id", {}, id),
    memoryBar(service),
    replicaBlocks(service),
    facts({
      Idle: service.idleScaling ? `scales to zero after ${service.idleTimeoutMinutes} minutes` : "never scales to zero",
      Endpoints: protocols.join(", ") || "none",
      "Private endpoints": service.privateEndpointIds.join(", "),
      "Release channel": service.releaseChannel,
      Tier: service.tier,
      "Encryption key": service.transparentDataEncryptionKeyId,
      "Bring your own cloud": /** @type {string | undefined} */ (fixed.byocId),
      "Read only": fixed.isReadonly === true ? "yes" : undefined,
      Warehouse: service.isPrimary ? undefined : service.dataWarehouseId,
    }),
    folded(`${id} access`, `Access list (${ipAccessList.length})`, accessList(ipAccessList)),
  );
}

/** @param {Service} service */
function memoryBar({ minReplicaMemoryGb: min, maxReplicaMemoryGb: max, numReplicas }) {
  const text = `${min} to ${max} GB a replica, ${max * numReplicas} GB at most in all`;
  const percent = (/** @type {number} */ gb) => `${(100 * gb) / MOST_MEMORY_GB}%`;
  const band = element("span.band", { style: `left: ${percent(min)}; right: calc(100% - ${percent(max)})` });
  return element("div.measure", {}, element("div.bar", { role: "img", "aria-label": `Memory: ${text}` }, band), text);
}

/** @param {Service} service */
function replicaBlocks({ numReplicas }) {
  const text = `${numReplicas} ${numReplicas === 1 ? "replica" : "replicas"}`;
  const blocks = Array.from({ length: MOST_REPLICAS }, (_, index) =>
    element(index < numReplicas ? "span.block.used" : "span.block"),
  );
  return element("div.measure", {}, element("div.blocks", { role: "img", "aria-label": text }, ...blocks), text);
}

/** @param {Service["ipAccessList"]} list */
function accessList(list) {
  if (list.length === 0) return element("p.none", {}, "Nobody is let in.");
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
