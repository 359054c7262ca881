/**
 * The organizations and services that the page shows.
 * @typedef {import("../state/state").SerializedOrganization} Organization
 * @typedef {import("../state/state").SerializedService} Service
 */

/** @type {Map<string, Organization>} */
export const organizations = new Map();
/** @type {Map<string, Service>} */
export const services = new Map();
