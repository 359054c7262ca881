package generated_program;

import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.core.Output;
import com.pulumi.clouddb.Service;
import com.pulumi.clouddb.ServiceArgs;
import com.pulumi.clouddb.inputs.ServiceIpAccessListEntryArgs;
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
        var analytics = new Service("analytics", ServiceArgs.builder()
            .provider("aws")
            .region("us-east-1")
            .minReplicaMemoryGb(8)
            .maxReplicaMemoryGb(32)
            .numReplicas(3)
            .ipAccessList(ServiceIpAccessListEntryArgs.builder()
                .source("203.0.113.0/24")
                .description("office")
                .build())
            .build(), CustomResourceOptions.builder()
                .protect(true)
                .build());

    }
}
