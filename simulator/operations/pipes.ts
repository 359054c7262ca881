import type { PipeResponse, TableMapping, UpdatePipe } from "../schema/pipe";
import type { Pipe } from "../state/state";
import { badRequest } from "./api-error";
import { type ListOrder, updateList, withDefaults } from "./lists";

/** Operations on pipes. Bodies are already validated. */

/** A source of any kind, and its change. */
interface Source {
  readonly [field: string]: unknown;
  readonly settings?: object;
  readonly tableMappings?: readonly TableMapping[];
}

interface SourceChange extends Source {
  readonly tableMappingsToAdd?: readonly TableMapping[];
  readonly tableMappingsToRemove?: readonly TableMapping[];
}

export function updatePipe(pipe: Pipe, body: UpdatePipe, now: number, order: ListOrder): Pipe {
  const { validateSamples, ...changes } = body.source ?? {};
  const source: Record<string, Source> = { ...pipe.source };
  const updatedAt = new Date(now).toISOString();
  const secrets = Object.entries(changes).flatMap(([kind, change]) => secretsIn(kind, change));
  for (const [kind, change] of Object.entries(changes)) {
    const current = source[kind];
    if (current === undefined)
      throw badRequest(`source.${kind} is not the kind of source of this pipe`);
    source[kind] = updateSource(current, change, order);
  }
  return {
    ...pipe,
    name: body.name ?? pipe.name,
    source,
    destination: { ...pipe.destination, ...body.destination },
    fieldMappings: body.fieldMappings ?? pipe.fieldMappings,
    settings: { ...pipe.settings, ...body.settings },
    updatedAt,
    writeOnly: [
      ...(pipe.writeOnly ?? []).filter(({ field }) => !secrets.includes(field)),
      ...secrets.map((field) => ({ field, setAt: updatedAt })),
    ],
  };
}

export function pipeResponse({ writeOnly, ...response }: Pipe): PipeResponse {
  return response;
}

function secretsIn(
  kind: string,
  { credentials, accessKey, connectionString }: SourceChange,
): string[] {
  const secrets = Object.entries({ credentials, accessKey, connectionString });
  return secrets.flatMap(([name, value]) =>
    value === undefined ? [] : [`source.${kind}.${name}`],
  );
}

/** Accepts secrets without storing them, since no response shows them. */
function updateSource(source: Source, change: SourceChange, order: ListOrder): Source {
  const { tableMappingsToAdd: add, tableMappingsToRemove: remove, settings, ...values } = change;
  const { credentials, accessKey, connectionString, ...visible } = values;
  const mappings = withDefaults({ add, remove }, MAPPING_DEFAULTS);
  return {
    ...source,
    ...visible,
    ...(settings && { settings: { ...source.settings, ...settings } }),
    ...(source.tableMappings && {
      tableMappings: updateList(source.tableMappings, mappings, mappingKey, order),
    }),
  };
}

const MAPPING_DEFAULTS = { excludedColumns: [], useCustomSortingKey: false, sortingKeys: [] };

function mappingKey({ sourceSchemaName, sourceTable, targetTable }: TableMapping): string {
  return JSON.stringify([sourceSchemaName, sourceTable, targetTable]);
}
