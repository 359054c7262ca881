import { secretSourceFields } from "../schema/pipe";
import type { Pipe, Service, TableMapping } from "../state/state";
import { badRequest, notFound } from "./api-error";
import { type ListOrder, updateList, withDefaults } from "./lists";

/** Operations on pipes. Bodies have passed their schemas. */

interface UpdateBody {
  readonly name?: string | null;
  readonly source?: Readonly<Record<string, SourceChange>>;
  readonly destination?: { readonly columns?: readonly unknown[] };
  readonly fieldMappings?: readonly unknown[];
  readonly settings?: Readonly<Record<string, unknown>>;
}

type Source = Pipe["source"][string];

interface SourceChange {
  readonly [field: string]: unknown;
  readonly tableMappingsToAdd?: readonly TableMapping[];
  readonly tableMappingsToRemove?: readonly TableMapping[];
  readonly settings?: object;
}

export function getPipe(service: Service, id: string): Pipe {
  const pipe = service.pipes.get(id.toLowerCase());
  if (pipe === undefined) throw notFound(`pipe ${id} does not exist`);
  return pipe;
}

export function updatePipe(pipe: Pipe, body: UpdateBody, now: number, order: ListOrder): Pipe {
  const { validateSamples, ...changes } = body.source ?? {};
  const source: Record<string, Source> = { ...pipe.source };
  for (const [kind, change] of Object.entries(changes)) {
    const current = pipe.source[kind];
    if (current === undefined) throw badRequest(`source.${kind} is not the kind of source of this pipe`);
    source[kind] = updateSource(current, change, order);
  }
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

function updateSource(source: Source, change: SourceChange, order: ListOrder): Source {
  const { tableMappingsToAdd: add = [], tableMappingsToRemove: remove = [], settings, ...values } = change;
  const visible = Object.entries(values).filter(([name]) => !secretSourceFields.has(name));
  return {
    ...source,
    ...Object.fromEntries(visible),
    ...(settings && { settings: { ...(source.settings as object), ...settings } }),
    ...(Array.isArray(source.tableMappings) && {
      tableMappings: updateList<TableMapping>(
        source.tableMappings,
        withDefaults({ add, remove }, MAPPING_DEFAULTS),
        mappingKey,
        order,
      ),
    }),
  };
}

const MAPPING_DEFAULTS = { excludedColumns: [], useCustomSortingKey: false, sortingKeys: [] };

function mappingKey({ sourceSchemaName, sourceTable, targetTable }: TableMapping): string {
  return JSON.stringify([sourceSchemaName, sourceTable, targetTable]);
}
