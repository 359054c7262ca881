/** Packages that pages use and the tests do not install. */
declare module "@pulumi/aws";
declare module "@pulumi/azure-native";
declare module "@pulumi/gcp";
declare module "@pulumi/vault";
