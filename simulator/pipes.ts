import { badRequest, notFound } from "./problem";
import type { Pipe, Service, TableMapping } from "./world";

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

export function readPipe(service: Service, id: string): Pipe {
  const pipe = service.pipes.get(id.toLowerCase());
  if (pipe === undefined) throw notFound(`pipe ${id} does not exist`);
  return pipe;
}

export function readPipeSettings(service: Service, id: string) {
  return readPipe(service, id).settings;
}

export function updatePipe(service: Service, id: string, body: UpdateBody): Pipe {
  const pipe = readPipe(service, id);
  const { validateSamples, ...kinds } = body.source ?? {};
  const strange = Object.keys(kinds).find((kind) => pipe.source[kind] === undefined);
  if (strange !== undefined) throw badRequest(`source.${strange} is not the kind of source that this pipe has`);
  const source = Object.fromEntries(
    Object.entries(pipe.source).map(([kind, now]) => [kind, kinds[kind] ? changedSource(now, kinds[kind]) : now]),
  );
  const changed: Pipe = {
    ...pipe,
    ...(typeof body.name === "string" && { name: body.name }),
    source,
    destination: { ...pipe.destination, ...body.destination },
    fieldMappings: body.fieldMappings ?? pipe.fieldMappings,
    settings: { ...pipe.settings, ...body.settings },
    updatedAt: new Date().toISOString(),
  };
  service.pipes.set(pipe.id, changed);
  return changed;
}

function changedSource(now: Record<string, unknown>, change: Record<string, unknown>): Record<string, unknown> {
  const { tableMappingsToAdd = [], tableMappingsToRemove = [], settings, ...plain } = change;
  const shown = Object.fromEntries(Object.entries(plain).filter(([name]) => !NEVER_SHOWN.has(name)));
  const mappings = now.tableMappings as TableMapping[] | undefined;
  return {
    ...now,
    ...shown,
    ...(settings !== undefined && { settings: { ...(now.settings as object), ...(settings as object) } }),
    ...(mappings && {
      tableMappings: mappingsAfter(
        mappings,
        tableMappingsToAdd as TableMapping[],
        tableMappingsToRemove as TableMapping[],
      ),
    }),
  };
}

/** As with access lists: what goes is taken out before what comes is put in. */
function mappingsAfter(mappings: TableMapping[], added: TableMapping[], removed: TableMapping[]): TableMapping[] {
  const key = ({ sourceSchemaName, sourceTable, targetTable }: TableMapping) =>
    JSON.stringify([sourceSchemaName, sourceTable, targetTable]);
  const gone = new Set(removed.map(key));
  const kept = mappings.filter((mapping) => !gone.has(key(mapping)));
  const standard = { excludedColumns: [], useCustomSortingKey: false, sortingKeys: [] };
  const byKey = new Map([...kept, ...added].map((mapping) => [key(mapping), { ...standard, ...mapping }]));
  return [...byKey.values()];
}
