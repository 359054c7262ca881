import { CloudDbPolicies } from "./pack/cloud-db-policies";

// The entry point for `pulumi preview --policy-pack node_modules/pulumi-clouddb-policies`.
new CloudDbPolicies();
