import { html } from "./preact.mjs";

/** The objects of the simulated API as cards. */

const MAX_CARDS = 200;
/** The specification's largest values, as the ends of the bars. */
const [MAX_MEMORY_GB, MAX_REPLICAS] = [356, 20];
/** The part of the full length for a bar with equal ends. */
const MIN_PART = 0.02;
const MIN_COLUMNS = 12;
/** The maximum drawn length of tiles and gaps. */
const MAX_LENGTH = 24;

export function Section({ title, items, Item, none, total = items.length, children }) {
  const id = title.toLowerCase();
  const shown = items.slice(0, MAX_CARDS);
  const count = shown.length === total ? total : `${shown.length} of ${total}`;
  return html`
    <section id=${id} aria-labelledby=${`${id}-title`}>
      <h2 id=${`${id}-title`}>${title} <span class="count">${count}</span></h2>
      ${children}
      ${shown.length === 0 && html`<p class="none">${none}</p>`}
      <div class="cards">${shown.map((item) => html`<${Item} key=${item.id} ...${item} />`)}</div>
    </section>`;
}

function Card({ kind, id, title = id, state, children }) {
  return html`
    <article class="card" id=${`${kind}-${id}`} tabindex="-1">
      <h3>${title} ${state && html`<span class="tag">${state}</span>`}</h3>
      <p class="id">${id}</p>
      ${children}
    </article>`;
}

/** A description list without undefined and empty values. */
function Values({ of }) {
  const shown = Object.entries(of).filter(
    ([, value]) => value !== undefined && value !== "" && value?.length !== 0,
  );
  return html`<dl>${shown.map(([name, value]) => html`<dt>${breakable(name)}</dt><dd>${typeof value === "object" ? JSON.stringify(value) : String(value)}</dd>`)}</dl>`;
}

/** Lets a long name break between its words. */
function breakable(name) {
  return name.split(/(?<=_)|(?<=[a-z])(?=[A-Z])/).map((part) => html`${part}<wbr />`);
}

/** `privateEndpoints` becomes `Private endpoints`. */
function inWords(name) {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function Entries({ title, of }) {
  return html`
    <details>
      <summary>${title} (${of.length})</summary>
      <ul>${of.map(([name, text]) => html`<li><code>${name}</code> ${text}</li>`)}</ul>
    </details>`;
}

export function Organization({ id, name, tier, paid, services, ...members }) {
  const lists = Object.entries(members).filter(([, value]) => Array.isArray(value));
  return html`
    <${Card} kind="organization" id=${id} title=${name}>
      <${Values} of=${{ Tier: `${tier}, ${paid ? "paid" : "not paid"}` }} />
      ${lists.map(
        ([title, list]) =>
          html`<${Entries} title=${inWords(title)} of=${list.map(({ id, ...rest }) => [id, Object.values(rest).join(" ")])} />`,
      )}
    <//>`;
}

export function Service({ id, name, organizationId, pipes, createdAt, ipAccessList, ...values }) {
  const {
    minReplicaMemoryGb: min,
    maxReplicaMemoryGb: max,
    numReplicas,
    isPrimary,
    dataWarehouseId,
    encryptionKey,
    ...others
  } = values;
  const memory = `${min} to ${max} GB per replica, up to ${max * numReplicas} GB in total`;
  const replicas = `${numReplicas} ${numReplicas === 1 ? "replica" : "replicas"}`;
  return html`
    <${Card} kind="service" id=${id} title=${name}>
      <${Bar} text=${memory} from=${min / MAX_MEMORY_GB} to=${max / MAX_MEMORY_GB} />
      <${Bar} text=${replicas} from=${0} to=${numReplicas / MAX_REPLICAS} />
      <${Values} of=${{
        ...others,
        encryptionKey: encryptionKey && `set ${createdAt}`,
        dataWarehouseId: isPrimary ? "" : dataWarehouseId,
      }} />
      <${Entries} title="Access list"
        of=${ipAccessList.map(({ source, description }) => [source, description])} />
    <//>`;
}

function Bar({ text, from, to }) {
  const style = { left: `${100 * Math.min(from, to - MIN_PART)}%`, right: `${100 - 100 * to}%` };
  return html`<div class="bar" role="img" aria-label=${text}><span style=${style}></span></div><p class="small">${text}</p>`;
}

export function Pipe({
  id,
  name,
  state,
  scaling,
  source,
  destination,
  settings,
  service,
  writeOnly = [],
}) {
  const [[kind, values] = ["none", {}]] = Object.entries(source);
  const secrets = Object.fromEntries(writeOnly.map(({ field, setAt }) => [field, `set ${setAt}`]));
  const parts = {
    [`Source: ${kind}`]: values,
    Destination: destination,
    Settings: settings,
    Scaling: scaling,
  };
  return html`
    <${Card} kind="pipe" id=${id} title=${name} state=${state}>
      <p>${kind} → ${service.name}: ${destination.database}.${destination.table}</p>
      <${Values} of=${secrets} />
      ${Object.entries(parts).map(
        ([title, of]) => html`<details><summary>${title}</summary><${Values} of=${of} /></details>`,
      )}
    <//>`;
}

export function Alert({ id, name, state, ...values }) {
  return html`<${Card} kind="alert" id=${id} title=${name} state=${state}><${Values} of=${values} /><//>`;
}

export function Dashboard({ id, name, tags = [], tiles = [] }) {
  const across = gridLines(tiles.map(({ x = 0, w = 1 }) => [x, w]));
  const down = gridLines(tiles.map(({ y = 0, h = 1 }) => [y, h]));
  const columns = Math.max(MIN_COLUMNS, ...across.map(([, to]) => to - 1));
  return html`
    <${Card} kind="dashboard" id=${id} title=${name} state=${tags.join(", ")}>
      <div class="grid" style=${{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
        ${tiles.map(
          ({ name: title, series = [] }, index) => html`
            <div class="tile" style=${{
              gridColumn: across[index].join(" / "),
              gridRow: down[index].join(" / "),
            }}>
              <h4>${title}</h4>
              <ul>${series.map((each) => html`<li>${describeSeries(each)}</li>`)}</ul>
            </div>`,
        )}
      </div>
    <//>`;
}

/**
 * The grid lines where tiles start and end in one direction. Accepts any numbers, and keeps the
 * tiles' order.
 */
function gridLines(sides) {
  const edges = sides.map(([from, length]) => {
    const begin = Math.max(0, Math.floor(from));
    return [begin, begin + Math.max(1, Math.round(length))];
  });
  const places = [...new Set([0, ...edges.flat()])].sort((one, other) => one - other);
  const lines = new Map([[0, 1]]);
  for (const [index, place] of places.slice(1).entries()) {
    lines.set(place, lines.get(places[index]) + Math.min(MAX_LENGTH, place - places[index]));
  }
  return edges.map((edge) => edge.map((place) => lines.get(place)));
}

function describeSeries({ aggFn, field, metricName, where, groupBy = [], type }) {
  const by = groupBy.length > 0 && `by ${groupBy.join(", ")}`;
  const parts = [
    `${aggFn}(${field || metricName || ""})`,
    where && `where ${where}`,
    by,
    type && `as ${type}`,
  ];
  return parts.filter(Boolean).join(" ");
}
