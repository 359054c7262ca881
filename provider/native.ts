import { createReadableClass, createResourceClass } from "./classes/custom-resource";
import type * as dynamic from "./index";
import { nativeAdapter } from "./native/class-adapter";
import { organizationClass } from "./resources/organization/class";
import { pipeClass } from "./resources/pipe/class";
import { serviceClass } from "./resources/service/class";
import { serviceScalingClass } from "./resources/service-scaling/class";

/*
 * The classes and functions for programs whose resources the native plugin runs. The package declares their types to be
 * those of the main entry, so that a program changes only its import.
 */

export const Service: typeof dynamic.Service = createReadableClass(nativeAdapter, serviceClass);
export const ServiceScaling: typeof dynamic.ServiceScaling = createReadableClass(nativeAdapter, serviceScalingClass);
export const Organization: typeof dynamic.Organization = createResourceClass(nativeAdapter, organizationClass);
export const Pipe: typeof dynamic.Pipe = createReadableClass(nativeAdapter, pipeClass);

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
} from "./native/functions";
export { Provider } from "./native/provider";
