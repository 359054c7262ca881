import { runCreations } from "./hosts/creations";

/*
 * The command `pulumi-clouddb creations`.
 */

const [topic, ...args] = process.argv.slice(2);
void runCreations("pulumi-clouddb creations", topic === "creations" ? args : []);
