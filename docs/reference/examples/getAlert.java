package generated_program;

import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.core.Output;
import com.pulumi.clouddb.ClouddbFunctions;
import com.pulumi.clouddb.inputs.GetAlertArgs;
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
        final var alert = ClouddbFunctions.getAlert(GetAlertArgs.builder()
            .id("alert-errors")
            .build());

        ctx.export("state", alert.applyValue(result -> result.state()));
    }
}
