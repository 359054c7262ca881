import type { Api } from "./api";
import { ACCESS, ENDPOINTS, type Place, placeOf, placesIn } from "./ledger";
import { CREATED, SERVICE_IDS } from "./program";
import { type Edit, ENDPOINT_IDS, NETWORKS } from "./scenario";
import { findByName, type Stack } from "./state";

/** Applies a change by others, where it makes sense; returns it in words. */
export async function applyEdit(api: Api, stack: Stack, { kind, service, entry }: Edit): Promise<string> {
  const id = SERVICE_IDS[service] ?? findByName(stack, CREATED)?.id;
  if (id === undefined) return "others: no service";
  const source = NETWORKS[entry];
  const endpoint = ENDPOINT_IDS[entry - NETWORKS.length] ?? "";
  const list = source === undefined ? ENDPOINTS : ACCESS;
  const place = placeOf(id, list, source ?? endpoint);
  const has = api.ledger.entries.has(place);
  // An endpoint has no description: once a stack has it in its state, nobody can tell who has added it again.
  const isAmbiguous = source === undefined && (kind === "describe" || (kind === "add" && isStored(stack, place)));
  if (isAmbiguous || has === (kind === "add")) return "others: nothing";
  const value = source === undefined ? endpoint : { source, description: `theirs ${kind}` };
  await api.change(id, { [list]: kind === "remove" ? { remove: [value] } : { add: [value] } });
  return `others ${kind} ${place}`;
}

function isStored({ resources }: Stack, place: Place): boolean {
  return resources.some(({ id, outputs }) => placesIn({ id, ...outputs }).has(place));
}
