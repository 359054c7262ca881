package main

import (
	"github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		events, err := clouddb.NewService(ctx, "events", &clouddb.ServiceArgs{
			Endpoints: clouddb.ServiceEndpointArray{
				&clouddb.ServiceEndpointArgs{
					Protocol: pulumi.String("mysql"),
					Enabled:  pulumi.Bool(false),
				},
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("endpoints", events.ServiceEndpoints)
		return nil
	})
}
