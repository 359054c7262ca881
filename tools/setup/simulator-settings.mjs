/**
 * The provider's settings for a running simulator, as environment variables.
 *
 * @param {{ baseUrl: string, keyId: string, keySecret: string, organizationId: string, observabilityUrl: string, accessToken: string }} simulator
 */
export function simulatorSettings(simulator) {
  return {
    CLOUDDB_BASE_URL: simulator.baseUrl,
    CLOUDDB_KEY_ID: simulator.keyId,
    CLOUDDB_KEY_SECRET: simulator.keySecret,
    CLOUDDB_ORGANIZATION_ID: simulator.organizationId,
    CLOUDDB_OBSERVABILITY_URL: simulator.observabilityUrl,
    CLOUDDB_ACCESS_TOKEN: simulator.accessToken,
  };
}
