import { organizations, services } from "./model.mjs";

/** @typedef {import("../simulation/journal").JournalEntry} Entry */

const MAX_CHANGES = 4;
const PATH =
  /^\/v1\/organizations\/(?<organization>[^/?]+)(?:\/services(?:\/(?<service>[^/?]+)(?:\/pipes\/(?<pipe>[^/?]+))?)?)?/;

/**
 * The resource that a request addresses, by its name if the page knows it.
 * @param {Entry} entry
 */
export function describeTarget({ method, path, body }) {
  const alert = /^\/api\/v2\/alerts\/([^/?]+)/.exec(path);
  if (alert) return `alert ${alert[1]}`;
  const { organization, service, pipe } = PATH.exec(path)?.groups ?? {};
  if (organization === undefined) return path.replace(/^\/api\/v2\//, "");
  if (method === "POST") return String(asObject(body).name ?? "My service");
  const owner = services.get(service ?? "");
  if (service === undefined) return organizations.get(organization)?.name ?? shorten(organization);
  const name = owner?.name ?? shorten(service);
  if (pipe === undefined) return name;
  return `${name} › ${owner?.pipes.find(({ id }) => id === pipe)?.name ?? shorten(pipe)}`;
}

/**
 * The service that a request addresses or created.
 * @param {Entry} entry
 */
export function serviceIdOf({ path, serviceId }) {
  return serviceId ?? PATH.exec(path)?.groups?.service?.toLowerCase();
}

/**
 * Summarize a request's changes in a few words.
 * @param {Entry} entry
 */
export function describeChanges({ method, path, body }) {
  if (method === "POST") return "new service";
  if (method === "GET") return path.endsWith("/settings") ? "settings" : "";
  if (typeof body === "string") return body;
  const changes = listChanges("", asObject(body));
  const more = changes.length - MAX_CHANGES;
  return [...changes.slice(0, MAX_CHANGES), ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}

/**
 * @param {unknown} value
 * @returns {Record<string, unknown>}
 */
function asObject(value) {
  return typeof value === "object" && value !== null ? /** @type {Record<string, unknown>} */ (value) : {};
}

/**
 * @param {string} name
 * @param {unknown} value
 * @returns {string[]}
 */
function listChanges(name, value) {
  if (value === "[secret]") return [name];
  if (Array.isArray(value)) return [`${name} (${value.length})`];
  if (typeof value !== "object" || value === null) return [`${name}: ${value}`];
  const { add, remove } = asObject(value);
  if (Array.isArray(add) || Array.isArray(remove))
    return [`${name}${describeSize("+", add)}${describeSize("−", remove)}`];
  return Object.entries(value).flatMap(([inner, each]) => listChanges(name === "" ? inner : `${name}.${inner}`, each));
}

/**
 * @param {string} sign
 * @param {unknown} list
 */
function describeSize(sign, list) {
  return Array.isArray(list) && list.length > 0 ? ` ${sign}${list.length}` : "";
}

/** @param {string} id */
function shorten(id) {
  return id.replace(/^([0-9a-f]{8})-[0-9a-f-]{27}$/, "$1…");
}
