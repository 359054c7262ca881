export type {
  GetAlertArgs,
  GetAlertResult,
  GetDashboardsResult,
  GetPipeArgs,
  GetPipeResult,
  GetPipeSettingsResult,
  GetServiceArgs,
  GetServiceResult,
} from "./sdk/function-types";
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
} from "./sdk/functions";
export { Organization } from "./sdk/organization/organization";
export type { OrganizationArgs, OrganizationOutputs } from "./sdk/organization/types";
export { Pipe } from "./sdk/pipe/pipe";
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
} from "./sdk/pipe/types";
export type { FunctionOptions } from "./sdk/provider";
export { Provider } from "./sdk/provider";
export type { ProviderArgs } from "./sdk/provider-args";
export { Service } from "./sdk/service/service";
export type { ServiceArgs, ServiceOutputs } from "./sdk/service/types";
export { ServiceAccess } from "./sdk/service-access/service-access";
export type { ServiceAccessArgs, ServiceAccessOutputs } from "./sdk/service-access/types";
export { ServiceScaling } from "./sdk/service-scaling/service-scaling";
export type { ServiceScalingArgs, ServiceScalingOutputs } from "./sdk/service-scaling/types";
