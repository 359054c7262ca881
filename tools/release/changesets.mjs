/** The changesets of a repository. Their library is loaded late: a fresh clone installs it first. */
export async function changesetsIn(folder) {
  const { readChangesets } = await import("@changesets/read");
  return readChangesets(folder);
}
