import type { Pipe, Service, TableMapping } from "../world/world";
import { type ListChange, listAfter, type Order } from "./lists";
import { badRequest, notFound } from "./problem";

/** What the API does with pipes. Bodies have passed their schemas. */

interface UpdateBody {
  readonly name?: string | null;
  readonly source?: Record<string, Record<string, unknown>>;
  readonly destination?: { readonly columns?: unknown[] };
  readonly fieldMappings?: unknown[];
  readonly settings?: Record<string, unknown>;
}

/** What a change of a source may carry and no answer shows. */
const NEVER_SHOWN = new Set(["credentials", "accessKey", "connectionString"]);

export function pipeOf(service: Service, id: string): Pipe {
  const pipe = service.pipes.get(id.toLowerCase());
  if (pipe === undefined) throw notFound(`pipe ${id} does not exist`);
  return pipe;
}

/** A pipe with a change made to it. */
export function changedPipe(pipe: Pipe, body: UpdateBody, now: number, order: Order): Pipe {
  const { validateSamples, ...kinds } = body.source ?? {};
  const strange = Object.keys(kinds).find((kind) => pipe.source[kind] === undefined);
  if (strange !== undefined) throw badRequest(`source.${strange} is not the kind of source that this pipe has`);
  const source = Object.fromEntries(
    Object.entries(pipe.source).map(([kind, now]) => [
      kind,
      kinds[kind] ? changedSource(now, kinds[kind], order) : now,
    ]),
  );
  return {
    ...pipe,
    ...(typeof body.name === "string" && { name: body.name }),
    source,
    destination: { ...pipe.destination, ...body.destination },
    fieldMappings: body.fieldMappings ?? pipe.fieldMappings,
    settings: { ...pipe.settings, ...body.settings },
    updatedAt: new Date(now).toISOString(),
  };
}

function changedSource(
  now: Record<string, unknown>,
  change: Record<string, unknown>,
  order: Order,
): Record<string, unknown> {
  const { tableMappingsToAdd: add = [], tableMappingsToRemove: remove = [], settings, ...plain } = change;
  const shown = Object.fromEntries(Object.entries(plain).filter(([name]) => !NEVER_SHOWN.has(name)));
  const tableMappings =
    now.tableMappings && mappingsAfter(now.tableMappings as TableMapping[], { add, remove } as never, order);
  return {
    ...now,
    ...shown,
    ...(settings !== undefined && { settings: { ...(now.settings as object), ...(settings as object) } }),
    ...(tableMappings !== undefined && { tableMappings }),
  };
}

function mappingsAfter(
  mappings: readonly TableMapping[],
  { add = [], ...change }: ListChange<TableMapping>,
  order: Order,
): TableMapping[] {
  const standard = { excludedColumns: [], useCustomSortingKey: false, sortingKeys: [] };
  const filled = { ...change, add: add.map((mapping) => ({ ...standard, ...mapping })) };
  return listAfter(mappings, filled, keyOfMapping, order);
}

function keyOfMapping({ sourceSchemaName, sourceTable, targetTable }: TableMapping): string {
  return JSON.stringify([sourceSchemaName, sourceTable, targetTable]);
}
