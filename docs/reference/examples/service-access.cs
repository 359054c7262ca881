using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudDb = Pulumi.CloudDb;

return await Deployment.RunAsync(() => 
{
    var reporting = new CloudDb.ServiceAccess("reporting", new()
    {
        ServiceId = "a1b2c3d4-0001-4a53-9c1e-000000000001",
        IpAccessList = new[]
        {
            new CloudDb.Inputs.ServiceAccessIpAccessListEntryArgs
            {
                Source = "192.0.2.0/28",
                Description = "reporting jobs",
            },
        },
    });

});

