using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudDb = Pulumi.CloudDb;

return await Deployment.RunAsync(() => 
{
    var size = new CloudDb.ServiceScaling("size", new()
    {
        ServiceId = "a1b2c3d4-0001-4a53-9c1e-000000000001",
        MaxReplicaMemoryGb = 128,
        NumReplicas = 4,
    });

});

