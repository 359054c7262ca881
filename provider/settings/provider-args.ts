// Made by `npm run build` from the tables of fields. Do not edit.
import type * as pulumi from "@pulumi/pulumi";

/** The arguments of a Provider. Each defaults to the stack's configuration, then to the environment. */
export interface ProviderArgs {
  /**
   * The URL of the management API, without `/v1`. It must use https unless the host is this machine or allowInsecureHttp is true.
   * Defaults to clouddb:baseUrl (CLOUDDB_BASE_URL).
   */
  baseUrl?: pulumi.Input<string>;
  /**
   * The URL of the observability API, without `/api/v2`. It must use https unless the host is this machine or allowInsecureHttp is true.
   * Defaults to clouddb:observabilityUrl (CLOUDDB_OBSERVABILITY_URL).
   */
  observabilityUrl?: pulumi.Input<string>;
  /**
   * The ID of the API key for the management API.
   * Defaults to clouddb:keyId (CLOUDDB_KEY_ID).
   */
  keyId?: pulumi.Input<string>;
  /**
   * The secret of the API key for the management API.
   * Stored as a Pulumi secret.
   * Defaults to clouddb:keySecret (CLOUDDB_KEY_SECRET).
   */
  keySecret?: pulumi.Input<string>;
  /**
   * The access token for the observability API.
   * Stored as a Pulumi secret.
   * Defaults to clouddb:accessToken (CLOUDDB_ACCESS_TOKEN).
   */
  accessToken?: pulumi.Input<string>;
  /**
   * The ID of the organization of every resource that does not declare organizationId.
   * Must be a UUID.
   * Defaults to clouddb:organizationId (CLOUDDB_ORGANIZATION_ID).
   */
  organizationId?: pulumi.Input<string>;
  /**
   * The tier of the organization. If set, the limits of that tier are checked in the preview.
   * Defaults to clouddb:organizationTier (CLOUDDB_ORGANIZATION_TIER).
   */
  organizationTier?: pulumi.Input<"BASIC" | "SCALE" | "ENTERPRISE" | (string & {})>;
  /**
   * Whether the organization's services are paid. If false, the memory limits of unpaid services are checked in the preview.
   * Defaults to clouddb:paid (CLOUDDB_PAID).
   */
  paid?: pulumi.Input<boolean>;
  /**
   * The timeout of a single attempt of a request.
   * Must be an integer from 1 to 3600, in seconds.
   * Defaults to clouddb:requestTimeoutSeconds (CLOUDDB_REQUEST_TIMEOUT_SECONDS), and otherwise to 60.
   */
  requestTimeoutSeconds?: pulumi.Input<number>;
  /**
   * How often a failed request is retried. Waits for the rate limit do not count.
   * Must be an integer from 0 to 100.
   * Defaults to clouddb:maxRetries (CLOUDDB_MAX_RETRIES), and otherwise to 6.
   */
  maxRetries?: pulumi.Input<number>;
  /**
   * The names of arguments, such as `region`, that accept values this release does not know: such a value causes a warning instead of an error.
   * Defaults to clouddb:allowUnlisted (CLOUDDB_ALLOW_UNLISTED).
   */
  allowUnlisted?: pulumi.Input<Array<pulumi.Input<string>>>;
  /**
   * Whether URLs of other machines may use plain HTTP, which sends credentials unencrypted.
   * Defaults to clouddb:allowInsecureHttp (CLOUDDB_ALLOW_INSECURE_HTTP), and otherwise to false.
   */
  allowInsecureHttp?: pulumi.Input<boolean>;
}
