export { type Client, createClient, type Dependencies } from "./client";
export * from "./errors";
export { basic, bearer, type KeyOrigin } from "./http";
export { learnedQuota } from "./learned-limit";
export { type Api, type Operation, operation } from "./operations";
export {
  type Clock,
  createRateLimiter,
  type Delay,
  type Limit,
  type Quota,
  type RateLimiter,
} from "./rate-limiter";
export * as schemas from "./schemas";
export type { PathParameters } from "./send";
