import { CloudDbPolicies } from "./pack/cloud-db-policies";

// What `pulumi preview --policy-pack node_modules/pulumi-clouddb-policies` runs.
new CloudDbPolicies();
