/** The arguments that pages use of packages that the tests do not install, as those packages declare them. */

declare module "@pulumi/aws" {
  import { CustomResource, type Input, type Output } from "@pulumi/pulumi";
  export namespace secretsmanager {
    class Secret extends CustomResource {
      constructor(name: string, args?: { name?: Input<string> });
    }
    class SecretVersion extends CustomResource {
      constructor(name: string, args: { secretId: Input<string>; secretString?: Input<string> });
      readonly secretString: Output<string | undefined>;
    }
  }
}

declare module "@pulumi/gcp" {
  import { CustomResource, type Input } from "@pulumi/pulumi";
  export namespace secretmanager {
    class Secret extends CustomResource {
      constructor(name: string, args: { secretId: Input<string>; replication: Input<{ auto?: Input<object> }> });
    }
    class SecretVersion extends CustomResource {
      constructor(name: string, args: { secret: Input<string>; secretData?: Input<string> });
    }
  }
}

declare module "@pulumi/azure-native" {
  import { CustomResource, type Input } from "@pulumi/pulumi";

  interface SecretArgs {
    resourceGroupName: Input<string>;
    vaultName: Input<string>;
    secretName?: Input<string>;
    properties: Input<{ value?: Input<string> }>;
  }
  export namespace keyvault {
    class Secret extends CustomResource {
      constructor(name: string, args: SecretArgs);
    }
  }
}

declare module "@pulumi/vault" {
  import { CustomResource, type Input, type Output } from "@pulumi/pulumi";
  export namespace kv {
    class SecretV2 extends CustomResource {
      constructor(name: string, args: { mount: Input<string>; name?: Input<string>; dataJson?: Input<string> });
      readonly path: Output<string>;
    }
  }
}
