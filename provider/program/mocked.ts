import * as pulumi from "@pulumi/pulumi";

/** True in a user's unit test with `pulumi.runtime.setMocks`, which has neither an engine nor an API. */
export function isMocked(): boolean {
  const monitor = pulumi.runtime.getMonitor();
  return monitor !== undefined && "mocks" in monitor;
}
