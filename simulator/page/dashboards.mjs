import { count, element, facts, fill } from "./dom.mjs";

/**
 * @typedef {{ aggFn?: string, field?: string, metricName?: string, where?: string, groupBy?: string[], type?: string }} Series
 * @typedef {{ id?: string, name?: string, x?: number, y?: number, w?: number, h?: number, series?: Series[] }} Tile
 * @typedef {{ id: string, name?: string, tags?: string[], tiles?: Tile[] }} Dashboard
 * @typedef {{ id: string, name?: string, message?: string, state?: string, threshold?: number, thresholdType?: string,
 *   interval?: string, source?: string, channel?: { type?: string, webhookId?: string } }} Alert
 */

const FEWEST_COLUMNS = 12;

/** @param {readonly Dashboard[]} dashboards */
export function drawDashboards(dashboards) {
  count("dashboards", dashboards.length);
  fill("dashboards", dashboards.map(dashboard), "None: they come from the seed.");
}

/** @param {Dashboard} dashboard */
function dashboard({ id, name, tags = [], tiles = [] }) {
  const columns = Math.max(FEWEST_COLUMNS, ...tiles.map(({ x = 0, w = 1 }) => x + w));
  return element(
    "article.dashboard",
    { id: `dashboard-${id}` },
    element("h3", {}, name ?? id, ...tags.map((tag) => element("span.tag", {}, tag))),
    element("div.grid", { style: `grid-template-columns: repeat(${columns}, minmax(0, 1fr))` }, ...tiles.map(tile)),
  );
}

/** @param {Tile} tile */
function tile({ name = "", x = 0, y = 0, w = 1, h = 1, series = [] }) {
  return element(
    "div.tile",
    { style: `grid-column: ${x + 1} / span ${w}; grid-row: ${y + 1} / span ${h}` },
    element("h4", {}, name),
    element("ul", {}, ...series.map((each) => element("li", {}, sentence(each)))),
  );
}

/** @param {Series} series */
function sentence({ aggFn = "", field, metricName, where, groupBy = [], type }) {
  const measured = `${aggFn}(${field || metricName || ""})`;
  const parts = [
    measured,
    where && `where ${where}`,
    groupBy.length > 0 && `by ${groupBy.join(", ")}`,
    type && `as ${type}`,
  ];
  return parts.filter(Boolean).join(" ");
}

/** @param {readonly Alert[]} alerts */
export function drawAlerts(alerts) {
  count("alerts", alerts.length);
  fill("alerts", alerts.map(alert), "None: they come from the seed.");
}

/** @param {Alert} alert */
function alert({ id, name, message, state, threshold, thresholdType, interval, source, channel }) {
  return element(
    "article.card",
    { id: `alert-${id}` },
    element("h3", {}, name ?? id, " ", element("span.state", {}, state ?? "no state")),
    element("p.id", {}, id),
    facts({
      Message: message,
      Threshold: threshold === undefined ? undefined : `${thresholdType ?? ""} ${threshold} in ${interval ?? "?"}`,
      Source: source,
      Channel: channel && [channel.type, channel.webhookId].filter(Boolean).join(" "),
    }),
  );
}
