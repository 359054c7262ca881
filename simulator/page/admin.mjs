/** Calls of the admin API, and reports of their results. */

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<any>}
 */
export async function callAdmin(method, path, body) {
  const content = body !== undefined && {
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  const response = await fetch(`/__admin/${path}`, { method, ...content }).catch(() => {
    throw new Error("No response from the simulator; the change may not have been made. Start it and try again.");
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

/**
 * Runs an action and shows its result, or why it failed, in an `output`.
 * @param {Element | null} output
 * @param {() => Promise<string>} action
 */
export async function report(output, action) {
  if (output === null) return;
  output.classList.remove("failed");
  try {
    output.textContent = await action();
  } catch (error) {
    output.classList.add("failed");
    output.textContent = /** @type {Error} */ (error).message;
  }
}

/**
 * Runs an action when a form is submitted, and reports in the form.
 * @param {HTMLFormElement} form
 * @param {() => Promise<string>} action
 */
export function onSubmit(form, action) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void report(form.querySelector("output"), action);
  });
}

/**
 * Copies a text. Returns the text where the browser refuses to, so that the user can copy it.
 * @param {string} text
 * @param {string} success
 */
export async function copy(text, success) {
  try {
    await navigator.clipboard.writeText(text);
    return success;
  } catch {
    return text;
  }
}
