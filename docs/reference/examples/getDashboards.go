package main

import (
	"github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		all := clouddb.GetDashboardsOutput(ctx)
		ctx.Export("dashboards", all.Dashboards())
		return nil
	})
}
