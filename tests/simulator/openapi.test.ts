import openapi from "../../simulator/openapi.json";
import { document } from "../../simulator/schema/document";

test("openapi.json is what the tables of fields say: where this fails, run `npm run build`", () => {
  expect(openapi).toEqual(JSON.parse(JSON.stringify(document)));
});
