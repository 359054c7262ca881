package main

import (
	"github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		settings := clouddb.LookupPipeSettingsOutput(ctx, clouddb.LookupPipeSettingsOutputArgs{
			ServiceId: pulumi.String("a1b2c3d4-0001-4a53-9c1e-000000000001"),
			PipeId:    pulumi.String("b1b2c3d4-0001-4a53-9c1e-000000000001"),
		})
		ctx.Export("threads", settings.EngineMaxThreads())
		return nil
	})
}
