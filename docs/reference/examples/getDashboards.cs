using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudDb = Pulumi.CloudDb;

return await Deployment.RunAsync(() => 
{
    var all = CloudDb.GetDashboards.Invoke();

    return new Dictionary<string, object?>
    {
        ["dashboards"] = all.Apply(getDashboardsResult => getDashboardsResult.Dashboards),
    };
});

