package main

import (
	"github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := clouddb.NewService(ctx, "analytics", &clouddb.ServiceArgs{
			NumReplicas: pulumi.Int(3),
		}, pulumi.RetainOnDelete(true))
		return err
	})
}
