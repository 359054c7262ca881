package generated_program;

import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.core.Output;
import com.pulumi.clouddb.Organization;
import com.pulumi.clouddb.OrganizationArgs;
import com.pulumi.clouddb.inputs.OrganizationPrivateEndpointArgs;
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
        var organizationResource = new Organization("organizationResource", OrganizationArgs.builder()
            .name("Example organization")
            .privateEndpoints(OrganizationPrivateEndpointArgs.builder()
                .id("vpce-0a1b2c3d4e5f60009")
                .description("new network")
                .build())
            .build());

    }
}
