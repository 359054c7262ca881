import openapi from "../../simulator/openapi.json";
import { document } from "../../simulator/schema/document";

test("openapi.json matches the field tables (if not, run `npm run build`)", () => {
  expect(openapi).toEqual(JSON.parse(JSON.stringify(document)));
});
