import { count, element, facts, fill } from "./dom.mjs";

/**
 * @typedef {{ aggFn?: string, field?: string, metricName?: string, where?: string, groupBy?: string[], type?: string }} Series
 * @typedef {{ id?: string, name?: string, x?: number, y?: number, w?: number, h?: number, series?: Series[] }} Tile
 * @typedef {{ id: string, name?: string, tags?: string[], tiles?: Tile[] }} Dashboard
 * @typedef {{ id: string, name?: string, message?: string, state?: string, threshold?: number, thresholdType?: string,
 *   interval?: string, source?: string, channel?: { type?: string, webhookId?: string } }} Alert
 */

const FEWEST_COLUMNS = 12;
/** What is longer than this, or further from everything else, is drawn as long as this. */
const LONGEST = 24;

/** @param {readonly Dashboard[]} dashboards */
export function drawDashboards(dashboards) {
  count("dashboards", dashboards.length);
  fill("dashboards", dashboards.map(dashboard), "None: they come from the seed.");
}

/** @param {Dashboard} dashboard */
function dashboard({ id, name, tags = [], tiles = [] }) {
  const across = lines(tiles.map(({ x = 0, w = 1 }) => [x, w]));
  const down = lines(tiles.map(({ y = 0, h = 1 }) => [y, h]));
  const columns = Math.max(FEWEST_COLUMNS, ...across.map(([, to]) => to));
  return element(
    "article.dashboard",
    { id: `dashboard-${id}` },
    element("h3", {}, name ?? id, ...tags.map((tag) => element("span.tag", {}, tag))),
    element(
      "div.grid",
      { style: `grid-template-columns: repeat(${columns}, minmax(0, 1fr))` },
      ...tiles.map((each, index) => tile(each, across[index] ?? [0, 1], down[index] ?? [0, 1])),
    ),
  );
}

/**
 * The grid lines that tiles begin and end at, from their begins and lengths in one direction. Every number is taken,
 * and the order of tiles stays as it is.
 * @param {readonly (readonly [from: number, length: number])[]} sides
 * @returns {(readonly [from: number, to: number])[]}
 */
function lines(sides) {
  const edges = sides.map(([from, length]) => {
    const begin = Math.max(0, Math.floor(from));
    return /** @type {const} */ ([begin, begin + Math.max(1, Math.round(length))]);
  });
  const places = [...new Set([0, ...edges.flat()])].sort((one, other) => one - other);
  let line = 0;
  const lineOf = new Map(
    places.map((place, index) => {
      line += Math.min(LONGEST, place - (places[index - 1] ?? 0));
      return [place, line];
    }),
  );
  return edges.map(([from, to]) => [lineOf.get(from) ?? 0, lineOf.get(to) ?? 1]);
}

/**
 * @param {Tile} tile
 * @param {readonly [from: number, to: number]} across
 * @param {readonly [from: number, to: number]} down
 */
function tile({ name = "", series = [] }, across, down) {
  return element(
    "div.tile",
    { style: `grid-column: ${across[0] + 1} / ${across[1] + 1}; grid-row: ${down[0] + 1} / ${down[1] + 1}` },
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
