import { describePolicy, type Program, UNKNOWN } from "../../tests/support/policy";
import { pipeSettingsWithinBounds } from ".";

const pipe = (settings: unknown): Program => ({
  settings: { engineMaxThreads: { min: 2, max: 16 } },
  resources: [{ type: "Pipe", name: "orders", args: { settings } }],
});

describePolicy(pipeSettingsWithinBounds, [
  [
    "has a minimum and a maximum",
    pipe({ engineMaxThreads: 32 }),
    ["settings.engineMaxThreads 32 is more than 16, the setting engineMaxThreads.max"],
  ],
  ["says the other one", pipe({ engineMaxThreads: 1 }), ["less than 2, the setting engineMaxThreads.min"]],
  [
    "reports undeclared values as unknown",
    pipe({ objectStorageConcurrency: 99 }),
    [],
    ["settings.engineMaxThreads is not declared and not known yet"],
  ],
  [
    "checks it by the API's response",
    {
      settings: { engineMaxThreads: { max: 16 } },
      resources: [{ type: "Pipe", name: "orders", args: {}, outputs: { currentSettings: { engineMaxThreads: 32 } } }],
    },
    ["settings.engineMaxThreads 32 is more than 16, the setting engineMaxThreads.max"],
  ],
  ["reports unknown values", pipe({ engineMaxThreads: UNKNOWN }), [], ["settings.engineMaxThreads is not known yet"]],
  ["says that nothing of it is known", pipe(UNKNOWN), [], ["settings.engineMaxThreads is not known yet"]],
]);
