using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudDb = Pulumi.CloudDb;

return await Deployment.RunAsync(() => 
{
    var organizationResource = new CloudDb.Organization("organization", new()
    {
        Name = "Example organization",
        PrivateEndpoints = new[]
        {
            new CloudDb.Inputs.OrganizationPrivateEndpointArgs
            {
                Id = "vpce-0a1b2c3d4e5f60009",
                Description = "new network",
            },
        },
    });

});

