using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudDb = Pulumi.CloudDb;

return await Deployment.RunAsync(() => 
{
    var alert = CloudDb.GetAlert.Invoke(new()
    {
        Id = "alert-errors",
    });

    return new Dictionary<string, object?>
    {
        ["state"] = alert.Apply(getAlertResult => getAlertResult.State),
    };
});

