import { collapsible, descriptionList, element, fillSection, setCount } from "./dom.mjs";

/** @typedef {import("../state/state").SerializedService} Service */
/** @typedef {Service["pipes"][number] & { state?: string, scaling?: { replicas?: number } }} Pipe */

/** @param {readonly Service[]} services */
export function drawPipes(services) {
  const cards = services.flatMap((service) => service.pipes.map((pipe) => drawPipe(pipe, service)));
  setCount("pipes", cards.length);
  fillSection("pipes", cards, "No pipes. The API cannot create pipes; add them to the seed.");
}

/**
 * @param {Pipe} pipe
 * @param {Service} service
 */
function drawPipe(pipe, service) {
  const [[kind, source] = ["none", {}]] = Object.entries(pipe.source);
  const { database, table, columns } = /** @type {Record<string, unknown>} */ (pipe.destination);
  return element(
    "article.card",
    { id: `pipe-${pipe.id}` },
    element("h3", {}, pipe.name, " ", element("span.state", {}, pipe.state ?? "no state")),
    element("p.id", {}, pipe.id),
    element("p.flow", {}, `${kind} → ${service.name}: ${database}.${table}`),
    descriptionList({ Replicas: pipe.scaling?.replicas }),
    collapsible(`${pipe.id} source`, `Source: ${kind}`, list(source)),
    collapsible(
      `${pipe.id} destination`,
      `Destination: ${Array.isArray(columns) ? columns.length : 0} columns`,
      list(pipe.destination),
    ),
    collapsible(`${pipe.id} settings`, `Settings (${Object.keys(pipe.settings).length})`, list(pipe.settings)),
  );
}

/** @param {Readonly<Record<string, unknown>>} object */
function list(object) {
  return descriptionList(
    Object.fromEntries(
      Object.entries(object).map(([name, value]) => [
        name,
        typeof value === "object" ? JSON.stringify(value) : String(value),
      ]),
    ),
  );
}
