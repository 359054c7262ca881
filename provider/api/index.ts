export { type Client, createClient, type Dependencies } from "./client";
export * from "./errors";
export { basic, bearer, type KeyOrigin } from "./http";
export { type Api, type Operation, operations } from "./operations";
export { type Clock, createRateLimiter, type RateLimiter, type Sharing } from "./rate-limiter";
export * as schemas from "./schemas";
export type { PathParameters } from "./send";
