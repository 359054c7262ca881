import * as pulumi from "@pulumi/pulumi";

/** Whether this is a user's own unit test under `pulumi.runtime.setMocks`: there is no engine, and no API to be asked. */
export function isMocked(): boolean {
  const monitor = pulumi.runtime.getMonitor();
  return monitor !== undefined && "mocks" in monitor;
}
