import type * as dynamic from "./index";
import { organizationClass, pipeClass, serviceAccessClass, serviceClass, serviceScalingClass } from "./sdk/classes";
import { createReadableClass, createResourceClass } from "./sdk/custom-resource";
import { nativeAdapter } from "./sdk/native";

/*
 * The classes and functions for programs whose resources the native plugin runs. The package declares their types to be
 * those of the main entry, so that a program changes only its import.
 */

export const Service: typeof dynamic.Service = createReadableClass(nativeAdapter, serviceClass);
export const ServiceScaling: typeof dynamic.ServiceScaling = createReadableClass(nativeAdapter, serviceScalingClass);
export const ServiceAccess: typeof dynamic.ServiceAccess = createResourceClass(nativeAdapter, serviceAccessClass);
export const Organization: typeof dynamic.Organization = createResourceClass(nativeAdapter, organizationClass);
export const Pipe: typeof dynamic.Pipe = createReadableClass(nativeAdapter, pipeClass);

export { Provider } from "./sdk/native";
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
} from "./sdk/native-functions";
