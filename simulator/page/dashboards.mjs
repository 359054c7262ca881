import { descriptionList, element, fillSection, setCount } from "./dom.mjs";

/**
 * @typedef {{ aggFn?: string, field?: string, metricName?: string, where?: string, groupBy?: string[], type?: string }} Series
 * @typedef {{ id?: string, name?: string, x?: number, y?: number, w?: number, h?: number, series?: Series[] }} Tile
 * @typedef {{ id: string, name?: string, tags?: string[], tiles?: Tile[] }} Dashboard
 * @typedef {{ id: string, name?: string, message?: string, state?: string, threshold?: number, thresholdType?: string,
 *   interval?: string, source?: string, channel?: { type?: string, webhookId?: string } }} Alert
 */

const MIN_COLUMNS = 12;
/** Longer tiles and gaps are drawn with this length. */
const MAX_LENGTH = 24;

/** @param {readonly Dashboard[]} dashboards */
export function drawDashboards(dashboards) {
  setCount("dashboards", dashboards.length);
  fillSection("dashboards", dashboards.map(drawDashboard), "No dashboards. Add them to the seed.");
}

/** @param {Dashboard} dashboard */
function drawDashboard({ id, name, tags = [], tiles = [] }) {
  const across = gridLines(tiles.map(({ x = 0, w = 1 }) => [x, w]));
  const down = gridLines(tiles.map(({ y = 0, h = 1 }) => [y, h]));
  const columns = Math.max(MIN_COLUMNS, ...across.map(([, to]) => to));
  return element(
    "article.dashboard",
    { id: `dashboard-${id}` },
    element("h3", {}, name ?? id, ...tags.map((tag) => element("span.tag", {}, tag))),
    element(
      "div.grid",
      { style: `grid-template-columns: repeat(${columns}, minmax(0, 1fr))` },
      ...tiles.map((each, index) => drawTile(each, across[index] ?? [0, 1], down[index] ?? [0, 1])),
    ),
  );
}

/**
 * The grid lines at which tiles start and end, from their positions and lengths in one direction. Accepts any numbers
 * and keeps the order of the tiles.
 * @param {readonly (readonly [from: number, length: number])[]} sides
 * @returns {(readonly [from: number, to: number])[]}
 */
function gridLines(sides) {
  const edges = sides.map(([from, length]) => {
    const begin = Math.max(0, Math.floor(from));
    return /** @type {const} */ ([begin, begin + Math.max(1, Math.round(length))]);
  });
  const places = [...new Set([0, ...edges.flat()])].sort((one, other) => one - other);
  let line = 0;
  const lineOf = new Map(
    places.map((place, index) => {
      line += Math.min(MAX_LENGTH, place - (places[index - 1] ?? 0));
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
function drawTile({ name = "", series = [] }, across, down) {
  return element(
    "div.tile",
    { style: `grid-column: ${across[0] + 1} / ${across[1] + 1}; grid-row: ${down[0] + 1} / ${down[1] + 1}` },
    element("h4", {}, name),
    element("ul", {}, ...series.map((each) => element("li", {}, describeSeries(each)))),
  );
}

/** @param {Series} series */
function describeSeries({ aggFn = "", field, metricName, where, groupBy = [], type }) {
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
  setCount("alerts", alerts.length);
  fillSection("alerts", alerts.map(drawAlert), "No alerts. Add them to the seed.");
}

/** @param {Alert} alert */
function drawAlert({ id, name, message, state, threshold, thresholdType, interval, source, channel }) {
  return element(
    "article.card",
    { id: `alert-${id}` },
    element("h3", {}, name ?? id, " ", element("span.state", {}, state ?? "no state")),
    element("p.id", {}, id),
    descriptionList({
      Message: message,
      Threshold: threshold === undefined ? undefined : `${thresholdType ?? ""} ${threshold} in ${interval ?? "?"}`,
      Source: source,
      Channel: channel && [channel.type, channel.webhookId].filter(Boolean).join(" "),
    }),
  );
}
