import { Ajv2020 } from "ajv/dist/2020";
import { document } from "./document";

test.each(Object.entries(document.components.schemas))("%s is a valid JSON Schema", (_, schema) => {
  const ajv = new Ajv2020({ strict: false });
  expect([ajv.validateSchema(schema), ajv.errors]).toEqual([true, null]);
});
