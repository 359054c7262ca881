import { count, element, facts, fill, folded } from "./dom.mjs";

/** @typedef {import("../world/world").PlainService} Service */
/** @typedef {Service["pipes"][number] & { state?: string, scaling?: { replicas?: number } }} Pipe */

/** @param {readonly Service[]} services */
export function drawPipes(services) {
  const cards = services.flatMap((service) => service.pipes.map((pipe) => card(pipe, service)));
  count("pipes", cards.length);
  fill("pipes", cards, "None: the API cannot create pipes, so they come from the seed.");
}

/**
 * @param {Pipe} pipe
 * @param {Service} service
 */
function card(pipe, service) {
  const [[kind, source] = ["none", {}]] = Object.entries(pipe.source);
  const { database, table, columns } = /** @type {Record<string, unknown>} */ (pipe.destination);
  return element(
    "article.card",
    { id: `pipe-${pipe.id}` },
    element("h3", {}, pipe.name, " ", element("span.state", {}, pipe.state ?? "no state")),
    element("p.id", {}, pipe.id),
    element("p.flow", {}, `${kind} → ${service.name}: ${database}.${table}`),
    facts({ Replicas: pipe.scaling?.replicas }),
    folded(`${pipe.id} source`, `Source: ${kind}`, values(source)),
    folded(
      `${pipe.id} destination`,
      `Destination: ${Array.isArray(columns) ? columns.length : 0} columns`,
      values(pipe.destination),
    ),
    folded(`${pipe.id} settings`, `Settings (${Object.keys(pipe.settings).length})`, values(pipe.settings)),
  );
}

/** @param {Readonly<Record<string, unknown>>} object */
function values(object) {
  return facts(
    Object.fromEntries(
      Object.entries(object).map(([name, value]) => [
        name,
        typeof value === "object" ? JSON.stringify(value) : String(value),
      ]),
    ),
  );
}
