package generated_program;

import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.core.Output;
import com.pulumi.clouddb.Pipe;
import com.pulumi.clouddb.PipeArgs;
import com.pulumi.clouddb.inputs.PipeSourceArgs;
import com.pulumi.clouddb.inputs.PipeSourceKafkaArgs;
import com.pulumi.clouddb.inputs.PipeSourceKafkaCredentialsArgs;
import com.pulumi.clouddb.inputs.PipeSettingsArgs;
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
        final var kafka = config.require("kafka");
        var orders = new Pipe("orders", PipeArgs.builder()
            .serviceId("a1b2c3d4-0001-4a53-9c1e-000000000001")
            .pipeId("b1b2c3d4-0001-4a53-9c1e-000000000001")
            .source(PipeSourceArgs.builder()
                .kafka(PipeSourceKafkaArgs.builder()
                    .credentials(PipeSourceKafkaCredentialsArgs.builder()
                        .username("reader")
                        .password(Output.ofSecret(kafka))
                        .build())
                    .build())
                .build())
            .settings(PipeSettingsArgs.builder()
                .streamingMaxInsertWaitMs(5000)
                .build())
            .build());

    }
}
