package generated_program;

import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.core.Output;
import com.pulumi.clouddb.ServiceScaling;
import com.pulumi.clouddb.ServiceScalingArgs;
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
        var size = new ServiceScaling("size", ServiceScalingArgs.builder()
            .serviceId("a1b2c3d4-0001-4a53-9c1e-000000000001")
            .maxReplicaMemoryGb(128)
            .numReplicas(4)
            .build());

    }
}
