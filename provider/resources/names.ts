/** The class hands a resource's name over under this name; a check takes it out again. */
export const RESOURCE_NAME = "__resourceName";
