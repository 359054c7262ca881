import { Controls, callAdmin, Faults } from "./controls.mjs";
import { html, render, useEffect, useState } from "./preact.mjs";
import { Requests } from "./requests.mjs";
import { Alert, Dashboard, Organization, Pipe, Section, Service } from "./sections.mjs";

const POLL_MS = 1000;
const SECTIONS = [
  "Requests",
  "Faults",
  "Controls",
  "Organization",
  "Services",
  "Pipes",
  "Dashboards",
  "Alerts",
];

async function readAll() {
  const [state, { requests }, { now }] = await Promise.all(
    ["state", "requests", "clock"].map((path) => callAdmin("GET", path)),
  );
  return { ...state, requests, now };
}

/** Reads everything once a second. Preact updates only differences. */
function Page() {
  const [data, setData] = useState(undefined);
  const [isLive, setLive] = useState(false);
  const [outcome, setOutcome] = useState({ text: "" });

  async function load() {
    const next = await readAll().catch(() => undefined);
    setLive(next !== undefined);
    if (next) setData(next);
  }
  useEffect(() => {
    let timer;
    // Starts the next round after the previous one, so that an older response never replaces a
    // newer one.
    const poll = () => load().then(() => (timer = setTimeout(poll, POLL_MS)));
    poll();
    return () => clearTimeout(timer);
  }, []);

  /** Runs an action and shows its result text or its error. */
  async function act(action) {
    try {
      const text = await action();
      await load();
      setOutcome({ text: typeof text === "string" ? text : "" });
    } catch (error) {
      setOutcome({ text: error.message, isFailed: true });
    }
  }

  const status = isLive
    ? "live"
    : data
      ? "No response from the simulator; trying again"
      : "connecting";
  return html`
    <a class="skip" href="#services">Skip to the services</a>
    <header>
      <h1>clouddb simulator</h1>
      <nav aria-label="Sections">
        ${SECTIONS.map((title) => html`<a href=${`#${title.toLowerCase()}`}>${title}</a>`)}
        <a href="https://github.com/pulumi-clouddb/pulumi-clouddb/tree/main/simulator#readme"
          >Docs</a>
        <a href="openapi.json">OpenAPI</a>
      </nav>
      <output class=${outcome.isFailed ? "broken" : ""}>${outcome.text}</output>
      <p role="status" class=${isLive ? "live" : "broken"}>${status}</p>
    </header>
    ${data && html`<${Content} ...${{ data, act }} />`}`;
}

function Content({ data, act }) {
  const [filter, setFilter] = useState("");
  const { organizations, dashboards, alerts, faults, rateLimit, requests, now } = data;
  const services = organizations.flatMap((organization) => organization.services).reverse();
  const pipes = services.flatMap((service) => service.pipes.map((pipe) => ({ ...pipe, service })));
  const matches = services.filter(({ id, name }) =>
    `${name}\n${id}`.toLowerCase().includes(filter.toLowerCase()),
  );
  const none = filter
    ? "No service matches the filter."
    : "No services yet. They appear when they are created.";
  const showService = ({ id }) => {
    if (!document.getElementById(`service-${id}`)) setFilter(id);
  };
  return html`
    <aside>
      <${Faults} ...${{ faults, rateLimit, act }} />
      <${Requests} ...${{ requests, organizations, act, showService }} />
    </aside>
    <main>
      <${Controls} ...${{ now, act }} />
      <${Section} title="Organization" items=${organizations} Item=${Organization}
        none="No organizations in the seed." />
      <${Section} title="Services" items=${matches} Item=${Service} total=${services.length}
        none=${none}>
        <label>Filter by name or id <input type="search" id="filter" value=${filter}
          onInput=${({ target }) => setFilter(target.value)} /></label>
      <//>
      <${Section} title="Pipes" items=${pipes} Item=${Pipe}
        none="No pipes. The API cannot create pipes; add them to the seed." />
      <${Section} title="Dashboards" items=${dashboards} Item=${Dashboard}
        none="No dashboards. Add them to the seed." />
      <${Section} title="Alerts" items=${alerts} Item=${Alert}
        none="No alerts. Add them to the seed." />
    </main>`;
}

render(html`<${Page} />`, document.body);
