/** Why two resources of a program cannot both exist, by their names and what both manage. */
export function describeOwnerConflict(first: string, second: string, object: string): string {
  return `"${first}" and "${second}" both manage ${object}, and each would undo the other's changes: keep only one of them.`;
}
