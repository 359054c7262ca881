export {
  getAlert,
  getAlertOutput,
  getDashboards,
  getDashboardsOutput,
  getPipe,
  getPipeOutput,
  getPipeSettings,
  getPipeSettingsOutput,
  getService,
  getServiceOutput,
} from "./functions";
export type { FunctionOptions } from "./functions/options";
export type {
  GetAlertArgs,
  GetAlertResult,
  GetDashboardsResult,
  GetPipeArgs,
  GetPipeResult,
  GetPipeSettingsResult,
  GetServiceArgs,
  GetServiceResult,
} from "./functions/types";
export { Organization } from "./resources/organization/organization";
export type { OrganizationArgs, OrganizationOutputs } from "./resources/organization/types";
export { Pipe } from "./resources/pipe/pipe";
// Types of members are exported, too: a program that exports an output can only name types that it can import.
export type {
  KafkaSource,
  KinesisSource,
  ObjectStorageSource,
  PipeArgs,
  PipeDestination,
  PipeOutputs,
  PipeScaling,
  PipeSettings,
  PostgresSource,
} from "./resources/pipe/types";
export { Service } from "./resources/service/service";
export type { ServiceArgs, ServiceOutputs } from "./resources/service/types";
export { ServiceScaling } from "./resources/service-scaling/service-scaling";
export type { ServiceScalingArgs, ServiceScalingOutputs } from "./resources/service-scaling/types";
export { Provider } from "./settings/provider";
export type { ProviderArgs } from "./settings/provider-args";
