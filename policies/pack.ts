import { CloudDbPolicies } from "./cloud-db-policies";

// The entry point for `pulumi preview --policy-pack node_modules/pulumi-clouddb-policies`.
new CloudDbPolicies();
