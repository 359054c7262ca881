using System.Collections.Generic;
using System.Linq;
using Pulumi;
using CloudDb = Pulumi.CloudDb;

return await Deployment.RunAsync(() => 
{
    var config = new Config();
    var kafka = config.Require("kafka");
    var orders = new CloudDb.Pipe("orders", new()
    {
        ServiceId = "a1b2c3d4-0001-4a53-9c1e-000000000001",
        PipeId = "b1b2c3d4-0001-4a53-9c1e-000000000001",
        Source = new CloudDb.Inputs.PipeSourceArgs
        {
            Kafka = new CloudDb.Inputs.PipeSourceKafkaArgs
            {
                Credentials = new CloudDb.Inputs.PipeSourceKafkaCredentialsArgs
                {
                    Username = "reader",
                    Password = Output.CreateSecret(kafka),
                },
            },
        },
        Settings = new CloudDb.Inputs.PipeSettingsArgs
        {
            StreamingMaxInsertWaitMs = 5000,
        },
    });

});

