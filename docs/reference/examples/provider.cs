using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudDb = Pulumi.CloudDb;

return await Deployment.RunAsync(() => 
{
    var config = new Config();
    var secondKeyId = config.Require("secondKeyId");
    var secondKeySecret = config.Require("secondKeySecret");
    var secondAccount = new CloudDb.Provider("second-account", new()
    {
        KeyId = secondKeyId,
        KeySecret = Output.CreateSecret(secondKeySecret),
        OrganizationId = "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01",
    });

    var size = new CloudDb.ServiceScaling("size", new()
    {
        ServiceId = "a1b2c3d4-0001-4a53-9c1e-000000000001",
        NumReplicas = 3,
    }, new CustomResourceOptions
    {
        Provider = secondAccount,
    });

});

