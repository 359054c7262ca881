import { organizations, services } from "./known.mjs";

/** @typedef {import("../admin/journal").JournalEntry} Entry */

const MOST_CHANGES = 4;
const PARTS =
  /^\/v1\/organizations\/(?<organization>[^/?]+)(?:\/services(?:\/(?<service>[^/?]+)(?:\/pipes\/(?<pipe>[^/?]+))?)?)?/;

/**
 * What a request is about, by its name where there is one.
 * @param {Entry} entry
 */
export function subjectOf({ method, path, body }) {
  const alert = /^\/api\/v2\/alerts\/([^/?]+)/.exec(path);
  if (alert) return `alert ${alert[1]}`;
  const { organization, service, pipe } = PARTS.exec(path)?.groups ?? {};
  if (organization === undefined) return path.replace(/^\/api\/v2\//, "");
  if (method === "POST") return String(fieldsOf(body).name ?? "My service");
  const owner = services.get(service ?? "");
  if (service === undefined) return organizations.get(organization)?.name ?? shortened(organization);
  const name = owner?.name ?? shortened(service);
  if (pipe === undefined) return name;
  return `${name} › ${owner?.pipes.find(({ id }) => id === pipe)?.name ?? shortened(pipe)}`;
}

/**
 * What it changes, in a few words.
 * @param {Entry} entry
 */
export function changesOf({ method, path, body }) {
  if (method === "POST") return "new service";
  if (method === "GET") return path.endsWith("/settings") ? "settings" : "";
  if (typeof body === "string") return body;
  const changes = leaves("", fieldsOf(body));
  const more = changes.length - MOST_CHANGES;
  return [...changes.slice(0, MOST_CHANGES), ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}

/**
 * @param {unknown} value
 * @returns {Record<string, unknown>}
 */
function fieldsOf(value) {
  return typeof value === "object" && value !== null ? /** @type {Record<string, unknown>} */ (value) : {};
}

/**
 * @param {string} name
 * @param {unknown} value
 * @returns {string[]}
 */
function leaves(name, value) {
  if (value === "[secret]") return [name];
  if (Array.isArray(value)) return [`${name} (${value.length})`];
  if (typeof value !== "object" || value === null) return [`${name}: ${value}`];
  const { add, remove } = fieldsOf(value);
  if (Array.isArray(add) || Array.isArray(remove)) return [`${name}${size("+", add)}${size("−", remove)}`];
  return Object.entries(value).flatMap(([inner, each]) => leaves(name === "" ? inner : `${name}.${inner}`, each));
}

/**
 * @param {string} sign
 * @param {unknown} list
 */
function size(sign, list) {
  return Array.isArray(list) && list.length > 0 ? ` ${sign}${list.length}` : "";
}

/** @param {string} id */
function shortened(id) {
  return id.replace(/^([0-9a-f]{8})-[0-9a-f-]{27}$/, "$1…");
}
