// Builds the packages, and regenerates the files that are made from the field tables (`npm run
// build`).
export { build as main } from "./setup/build";
