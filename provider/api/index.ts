export { basic, bearer } from "./authorization";
export { type Client, createClient, type PathParameters, type Surroundings } from "./client";
export * from "./errors";
export { type Interface, type Operation, operations } from "./operations";
export type { Clock } from "./pace";
export * as schemas from "./schemas";
