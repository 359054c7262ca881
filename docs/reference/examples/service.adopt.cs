using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudDb = Pulumi.CloudDb;

return await Deployment.RunAsync(() => 
{
    var reports = new CloudDb.Service("reports", new()
    {
        ExistingServiceId = "a1b2c3d4-0001-4a53-9c1e-000000000001",
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

