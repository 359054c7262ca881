package example;

import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.clouddb.Service;
import com.pulumi.clouddb.ServiceArgs;
import com.pulumi.clouddb.inputs.ServiceIpAccessListEntryArgs;

public class App {
    public static void main(String[] args) {
        Pulumi.run(App::stack);
    }

    private static void stack(Context ctx) {
        // Protected by default, because the API cannot delete services. To stop managing it, set `retainOnDelete(true)`
        // in its options and run `pulumi up`.
        var analytics = new Service("analytics", ServiceArgs.builder()
            .provider("aws")
            .region("us-east-1")
            .minReplicaMemoryGb(8)
            .maxReplicaMemoryGb(32)
            .numReplicas(ctx.config().getInteger("numReplicas").orElse(2))
            .ipAccessList(ServiceIpAccessListEntryArgs.builder()
                .source("203.0.113.0/24")
                .description("office")
                .build())
            .build());
        ctx.export("serviceId", analytics.id());
        // Values of the SDK's own types cannot be exported.
        ctx.export("host", analytics.serviceEndpoints().applyValue(endpoints -> endpoints.get(0).host()));
        // A secret: `pulumi stack output password --show-secrets`.
        ctx.export("password", analytics.password());
    }
}
