package main

import (
	"github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		alert := clouddb.GetAlertOutput(ctx, clouddb.GetAlertOutputArgs{
			Id: pulumi.String("alert-errors"),
		})
		ctx.Export("state", alert.State())
		return nil
	})
}
