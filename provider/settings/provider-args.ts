// Made by `npm run build` from the tables of fields. Do not edit.
import type * as pulumi from "@pulumi/pulumi";

/** The arguments of a Provider. Each that is missing comes from the stack's configuration or the environment. */
export interface ProviderArgs {
  /**
   * The address of the management interface, without `/v1`. https, unless the host is this machine or allowInsecureHttp is true.
   * Otherwise: clouddb:baseUrl (CLOUDDB_BASE_URL).
   */
  baseUrl?: pulumi.Input<string>;
  /**
   * The address of the observability interface, without `/api/v2`.
   * Otherwise: clouddb:observabilityUrl (CLOUDDB_OBSERVABILITY_URL).
   */
  observabilityUrl?: pulumi.Input<string>;
  /**
   * The id of the API key.
   * Otherwise: clouddb:keyId (CLOUDDB_KEY_ID).
   */
  keyId?: pulumi.Input<string>;
  /**
   * The secret of the API key.
   * Kept secret.
   * Otherwise: clouddb:keySecret (CLOUDDB_KEY_SECRET).
   */
  keySecret?: pulumi.Input<string>;
  /**
   * The token for the observability interface.
   * Kept secret.
   * Otherwise: clouddb:accessToken (CLOUDDB_ACCESS_TOKEN).
   */
  accessToken?: pulumi.Input<string>;
  /**
   * The organization of every resource that does not declare another.
   * A UUID.
   * Otherwise: clouddb:organizationId (CLOUDDB_ORGANIZATION_ID).
   */
  organizationId?: pulumi.Input<string>;
  /**
   * The organization's tier: turns on the rules that depend on it.
   * Otherwise: clouddb:organizationTier (CLOUDDB_ORGANIZATION_TIER).
   */
  organizationTier?: pulumi.Input<"BASIC" | "SCALE" | "ENTERPRISE" | (string & {})>;
  /**
   * Whether services are paid: turns on the rules that depend on it.
   * Otherwise: clouddb:paid (CLOUDDB_PAID).
   */
  paid?: pulumi.Input<boolean>;
  /**
   * How long one attempt of a request may take.
   * From 1 to 3600.
   * Unit: seconds.
   * Default: 60.
   * Otherwise: clouddb:requestTimeoutSeconds (CLOUDDB_REQUEST_TIMEOUT_SECONDS).
   */
  requestTimeoutSeconds?: pulumi.Input<number>;
  /**
   * How often a request is repeated after a failure; waits for a rate limit do not count.
   * From 0 to 100.
   * Default: 6.
   * Otherwise: clouddb:maxRetries (CLOUDDB_MAX_RETRIES).
   */
  maxRetries?: pulumi.Input<number>;
  /**
   * The names of arguments whose values may be missing from their list of allowed values, as `region` for one: a value that is newer than this release is warned of instead of refused.
   * Otherwise: clouddb:allowUnlisted (CLOUDDB_ALLOW_UNLISTED).
   */
  allowUnlisted?: pulumi.Input<Array<pulumi.Input<string>>>;
  /**
   * Allows addresses without TLS on other machines.
   * Default: false.
   * Otherwise: clouddb:allowInsecureHttp (CLOUDDB_ALLOW_INSECURE_HTTP).
   */
  allowInsecureHttp?: pulumi.Input<boolean>;
}
