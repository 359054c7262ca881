export { Provider } from "./provider";
export type { ProviderArgs } from "./provider-args";
export { Service } from "./resources/service/service";
export type { ServiceArgs, ServiceOutputs } from "./resources/service/types";
