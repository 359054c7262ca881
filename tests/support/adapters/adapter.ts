/** The adapter that this jest project tests: see jest.config.cjs. */
export type AdapterName = "dynamic" | "native";

export const ADAPTER: AdapterName = (globalThis as { ADAPTER?: AdapterName }).ADAPTER ?? "dynamic";
