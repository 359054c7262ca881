import { copy, report } from "./admin.mjs";
import { organizations } from "./model.mjs";
import { quote } from "./shell.mjs";

/** The settings of a program, while there are no requests. */

const section = /** @type {HTMLElement} */ (document.getElementById("settings"));
const lines = /** @type {HTMLElement} */ (section.querySelector("pre"));

section
  .querySelector("button")
  ?.addEventListener("click", () => report(section.querySelector("output"), () => copy(lines.innerText, "Copied.")));

export function hideSettings() {
  section.hidden = true;
}

/**
 * @param {boolean} isEmpty true if there are no requests
 * @param {{ keyId: string, keySecret: string, accessToken: string }} credentials
 */
export function showSettings(isEmpty, { keyId, keySecret, accessToken }) {
  section.hidden = !isEmpty;
  if (!isEmpty) return;
  const [organizationId = ""] = organizations.keys();
  const values = {
    CLOUDDB_BASE_URL: location.origin,
    CLOUDDB_OBSERVABILITY_URL: location.origin,
    CLOUDDB_ORGANIZATION_ID: organizationId,
    CLOUDDB_KEY_ID: keyId,
    CLOUDDB_KEY_SECRET: keySecret,
    CLOUDDB_ACCESS_TOKEN: accessToken,
  };
  lines.textContent = Object.entries(values)
    .map(([name, value]) => `export ${name}=${quote(value)}`)
    .join("\n");
}
