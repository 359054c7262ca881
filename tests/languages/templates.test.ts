import { expectTemplate } from "../support/template";
import { inLanguage } from "./support";

inLanguage("yaml", () => {
  test("clouddb-yaml: a new project, and every command of its README", async () => {
    await expectTemplate("clouddb-yaml", ["Install the plugin"], ["Pulumi.yaml", "protect: true", "protect: false"]);
  });
});

inLanguage("python", () => {
  test("clouddb-python: a new project, and every command of its README", async () => {
    const setUp = ["Install the plugin", "Install the SDK"];
    await expectTemplate("clouddb-python", setUp, [
      "__main__.py",
      '"description": "office"}],',
      '"description": "office"}],\n    opts=pulumi.ResourceOptions(protect=False),',
    ]);
  });
});
