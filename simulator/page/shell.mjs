/**
 * A word of a shell command, quoted where that is needed.
 * @param {string} text
 */
export function quote(text) {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
