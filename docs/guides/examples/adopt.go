package main

import (
	"github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := clouddb.NewService(ctx, "analytics", &clouddb.ServiceArgs{
			ExistingServiceId: pulumi.String("a1b2c3d4-0001-4a53-9c1e-000000000001"),
			NumReplicas:       pulumi.Int(3),
		})
		return err
	})
}
