package generated_program;

import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.core.Output;
import com.pulumi.clouddb.Provider;
import com.pulumi.clouddb.ProviderArgs;
import com.pulumi.clouddb.ServiceScaling;
import com.pulumi.clouddb.ServiceScalingArgs;
import com.pulumi.resources.CustomResourceOptions;
import java.util.List;
import java.util.ArrayList;
import java.util.Map;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Paths;

public class App {
    public static void main(String[] args) {
        Pulumi.run(App::stack);
    }

    public static void stack(Context ctx) {
        final var config = ctx.config();
        final var secondKeyId = config.require("secondKeyId");
        final var secondKeySecret = config.require("secondKeySecret");
        var secondAccount = new Provider("secondAccount", ProviderArgs.builder()
            .keyId(secondKeyId)
            .keySecret(Output.ofSecret(secondKeySecret))
            .organizationId("5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01")
            .build());

        var size = new ServiceScaling("size", ServiceScalingArgs.builder()
            .serviceId("a1b2c3d4-0001-4a53-9c1e-000000000001")
            .numReplicas(3)
            .build(), CustomResourceOptions.builder()
                .provider(secondAccount)
                .build());

    }
}
