import { runCreations } from "./hosts/creations";

/*
 * The command `pulumi-clouddb creations`, and its former name `clouddb-creations`.
 */

const args = process.argv.slice(2);
if (args[0] === "creations") void runCreations("pulumi-clouddb creations", args.slice(1));
else void runCreations("clouddb-creations", args);
