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
        var reports = new Service("reports", ServiceArgs.builder()
            .existingServiceId("a1b2c3d4-0001-4a53-9c1e-000000000001")
            .ipAccessList(ServiceIpAccessListEntryArgs.builder()
                .source("203.0.113.0/24")
                .description("office")
                .build())
            .build(), CustomResourceOptions.builder()
                .protect(true)
                .build());

    }
}
