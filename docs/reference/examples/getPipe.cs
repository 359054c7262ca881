using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudDb = Pulumi.CloudDb;

return await Deployment.RunAsync(() => 
{
    var pipe = CloudDb.GetPipe.Invoke(new()
    {
        ServiceId = "a1b2c3d4-0001-4a53-9c1e-000000000001",
        PipeId = "b1b2c3d4-0001-4a53-9c1e-000000000001",
    });

    return new Dictionary<string, object?>
    {
        ["state"] = pipe.Apply(getPipeResult => getPipeResult.State),
    };
});

