import { html } from "./preact.mjs";

/** Forms for the admin API: faults, rate limit, clock, seed and reset. */

const REPLACES = "All services, faults and requests of the simulator are replaced. Continue?";

/** The effects to choose from. The admin API has more. */
const EFFECTS = {
  "503, not executed": { kind: "status", status: 503 },
  "503, but executed": { kind: "status", when: "after", status: 503 },
  "2 s of latency": { kind: "latency", milliseconds: 2000 },
  "connection reset, not executed": { kind: "reset", when: "before" },
  "connection reset, but executed": { kind: "reset", when: "after" },
  "half a response": { kind: "truncated" },
  "a response that is not JSON": { kind: "malformed" },
  "a response with another id": {
    kind: "answer",
    result: { id: "00000000-0000-4000-8000-000000000000" },
  },
  "access entries stored as networks": { kind: "normalised" },
  "`add` before `remove`": { kind: "addFirst" },
};

export async function callAdmin(method, path, body) {
  const content = body !== undefined && {
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  const response = await fetch(`/__admin/${path}`, { method, ...content }).catch(() => {
    throw new Error(
      "No response from the simulator; the change may not have been made. Start it and try again.",
    );
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

/** A form whose action gets the non-empty fields by name. */
function Form({ title, action, act, children, submit, more }) {
  const onSubmit = (event) => {
    event.preventDefault();
    const values = [...new FormData(event.target)].filter(([, value]) => value !== "");
    act(() => action(Object.fromEntries(values)));
  };
  return html`
    <form class="card" aria-label=${title} onSubmit=${onSubmit}>
      <h3>${title}</h3>
      ${children}
      <div class="actions"><button>${submit}</button>${more}</div>
    </form>`;
}

export function Faults({ faults, rateLimit, act }) {
  /** Changes the current list, since requests may have used up rules meanwhile. */
  const change = async (edit) =>
    callAdmin("PUT", "faults", { faults: edit((await callAdmin("GET", "faults")).faults) });
  const remove = (action) =>
    act(() => action().then(() => document.querySelector("#faults summary").focus()));
  const sameRule = ({ times: _, ...one }, { times: __, ...other }) =>
    JSON.stringify(one) === JSON.stringify(other);
  const lines = faults.map((rule) => [
    describeRule(rule),
    () =>
      change((now) =>
        now.filter((_, index) => index !== now.findIndex((other) => sameRule(other, rule))),
      ),
  ]);
  if (rateLimit) {
    const text = `rate limit ${rateLimit.requests} in ${rateLimit.seconds} s`;
    lines.push([text, () => callAdmin("DELETE", "rate-limit")]);
  }
  async function add({ effect, times, ...rule }) {
    const added = { ...rule, ...(times && { times: Number(times) }), effect: EFFECTS[effect] };
    await change((now) => [...now, added]);
    return "Added; the first matching rule applies.";
  }
  return html`
    <section id="faults" aria-labelledby="faults-title">
      <h2 id="faults-title">Active faults <span class="count">${lines.length}</span></h2>
      ${lines.length === 0 && html`<p class="none">No faults: requests are executed normally.</p>`}
      <ul>
        ${lines.map(
          ([text, action]) => html`
            <li>${text} <button aria-label=${`Remove: ${text}`}
              onClick=${() => remove(action)}>Remove</button></li>`,
        )}
      </ul>
      <details>
        <summary>Add a fault</summary>
        <${Form} title="New fault" action=${add} act=${act} submit="Add fault">
          <label>effect <select name="effect">
            ${Object.keys(EFFECTS).map((name) => html`<option value=${name}>${name}</option>`)}
          </select></label>
          <div class="fields">
            <label>method <select name="method">
              <option value="">any</option>
              ${["GET", "POST", "PATCH"].map(
                (name) => html`<option value=${name}>${name}</option>`,
              )}
            </select></label>
            <label>part of the path <input name="path" autocomplete="off"
              placeholder="any" /></label>
            <label>times <input name="times" type="number" min="1" placeholder="any" /></label>
          </div>
        <//>
      </details>
    </section>`;
}

function describeRule({
  method = "any method",
  path = "",
  times,
  probability,
  effect: { kind, ...details },
}) {
  const often = [
    times && `${times} times`,
    probability !== undefined && `${100 * probability} %`,
  ].filter(Boolean);
  const values = Object.keys(details).length > 0 ? JSON.stringify(details) : "";
  return [kind, values, "for", method, path, often.join(", ")].filter(Boolean).join(" ");
}

export function Controls({ now, act }) {
  async function setRateLimit({ requests, seconds }) {
    await callAdmin("PUT", "rate-limit", { requests: Number(requests), seconds: Number(seconds) });
    return "The rate limit is set.";
  }
  async function advance({ amount, unit }) {
    await callAdmin("PUT", "clock", { advanceSeconds: Number(amount) * Number(unit) });
    return "The clock is advanced.";
  }
  async function replace(action, success) {
    if (!confirm(REPLACES)) return "Nothing has changed.";
    await action();
    return success;
  }
  const loadSeed = (seed) => replace(() => callAdmin("PUT", "seed", seed), "The seed is loaded.");
  const loadExample = async () => loadSeed(await (await fetch("example-seed.json")).json());
  const reset = () =>
    replace(() => callAdmin("POST", "reset"), "Restored the initial state and clock.");
  const seedButtons = html`
    <button type="button" onClick=${() => act(loadExample)}>Load example</button>
    <button type="button" onClick=${() => act(reset)}>Reset</button>`;
  return html`
    <section id="controls" aria-labelledby="controls-title">
      <h2 id="controls-title">Controls</h2>
      <div class="cards">
        <${Form} title="Rate limit" action=${setRateLimit} act=${act} submit="Set rate limit">
          <div class="fields">
            <label>requests <input name="requests" type="number" min="1" required /></label>
            <label>seconds <input name="seconds" type="number" min="0" step="any"
              required /></label>
          </div>
        <//>
        <${Form} title="Clock" action=${advance} act=${act} submit="Advance">
          <time>${now.slice(0, 19).replace("T", " ")} UTC</time>
          <div class="fields">
            <label>advance by <input name="amount" type="number" min="0" step="any"
              defaultValue="1" required /></label>
            <label>unit <select name="unit">
              <option value="60">minutes</option>
              <option value="3600">hours</option>
              <option value="86400">days</option>
            </select></label>
          </div>
        <//>
        <${Form} title="Seed and reset" action=${({ file }) => readJson(file).then(loadSeed)}
          act=${act} submit="Load seed" more=${seedButtons}>
          <label>seed <input name="file" type="file" accept=".json,application/json"
            required /></label>
        <//>
      </div>
    </section>`;
}

async function readJson(file) {
  const text = await file.text();
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${file.name} is not valid JSON: ${error.message}`);
  }
}
