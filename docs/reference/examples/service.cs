using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudDb = Pulumi.CloudDb;

return await Deployment.RunAsync(() => 
{
    var analytics = new CloudDb.Service("analytics", new()
    {
        Provider = "aws",
        Region = "us-east-1",
        MinReplicaMemoryGb = 8,
        MaxReplicaMemoryGb = 32,
        NumReplicas = 3,
        IpAccessList = new[]
        {
            new CloudDb.Inputs.ServiceIpAccessListEntryArgs
            {
                Source = "203.0.113.0/24",
                Description = "office",
            },
        },
    }, new CustomResourceOptions
    {
        Protect = true,
    });

});

