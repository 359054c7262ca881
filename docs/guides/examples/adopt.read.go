package main

import (
	"github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		id := pulumi.ID("a1b2c3d4-0001-4a53-9c1e-000000000001")
		shared, err := clouddb.GetService(ctx, "shared", id, nil)
		if err != nil {
			return err
		}
		ctx.Export("endpoints", shared.ServiceEndpoints)
		return nil
	})
}
