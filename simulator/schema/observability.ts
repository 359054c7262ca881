import { BOOLEAN, DATE_TIME, listOf, NUMBER, objectOf, TEXT } from "./json-schema";

const SERIES = objectOf({
  sourceId: TEXT,
  aggFn: TEXT,
  where: TEXT,
  groupBy: listOf(TEXT),
  field: TEXT,
  whereLanguage: TEXT,
  metricName: TEXT,
  metricDataType: TEXT,
  type: TEXT,
  dataSource: TEXT,
});

const TILE = objectOf({
  id: TEXT,
  name: TEXT,
  x: NUMBER,
  y: NUMBER,
  w: NUMBER,
  h: NUMBER,
  asRatio: BOOLEAN,
  series: listOf(SERIES),
});

/** The observability API only reads, so its schemas describe both responses and seeds. */
export const observabilitySchemas = {
  Alert: objectOf(
    {
      id: TEXT,
      name: TEXT,
      message: TEXT,
      threshold: NUMBER,
      interval: TEXT,
      thresholdType: TEXT,
      source: TEXT,
      state: TEXT,
      channel: objectOf({ type: TEXT, webhookId: TEXT }),
      team: TEXT,
      tileId: TEXT,
      dashboard: TEXT,
      createdAt: DATE_TIME,
      updatedAt: DATE_TIME,
    },
    "id",
  ),
  Dashboard: objectOf({ id: TEXT, name: TEXT, tags: listOf(TEXT), tiles: listOf(TILE) }, "id"),
};
