package generated_program;

import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.core.Output;
import com.pulumi.clouddb.ServiceAccess;
import com.pulumi.clouddb.ServiceAccessArgs;
import com.pulumi.clouddb.inputs.ServiceAccessIpAccessListEntryArgs;
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
        var reporting = new ServiceAccess("reporting", ServiceAccessArgs.builder()
            .serviceId("a1b2c3d4-0001-4a53-9c1e-000000000001")
            .ipAccessList(ServiceAccessIpAccessListEntryArgs.builder()
                .source("192.0.2.0/28")
                .description("reporting jobs")
                .build())
            .build());

    }
}
