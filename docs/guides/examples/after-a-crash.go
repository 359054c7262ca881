package main

import (
	"github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := clouddb.NewService(ctx, "db-5", &clouddb.ServiceArgs{
			Region:            pulumi.String("us-east-1"),
			ExistingServiceId: pulumi.String("a598a2ec-7a61-40b5-8b71-620736b0faf4"), // found after the crash
		})
		return err
	})
}
