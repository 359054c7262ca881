/**
 * What exists, as the page knows it.
 * @typedef {import("../world/world").PlainOrganization} Organization
 * @typedef {import("../world/world").PlainService} Service
 */

/** @type {Map<string, Organization>} */
export const organizations = new Map();
/** @type {Map<string, Service>} */
export const services = new Map();
