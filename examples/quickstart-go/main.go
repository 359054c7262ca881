package main

import (
	"errors"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
	"github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		numReplicas, err := config.New(ctx, "").TryInt("numReplicas")
		if errors.Is(err, config.ErrMissingVar) {
			numReplicas = 2
		} else if err != nil {
			return err
		}
		// Protected by default, because the API cannot delete services. To stop managing it, add
		// `pulumi.RetainOnDelete(true)` and run `pulumi up`.
		analytics, err := clouddb.NewService(ctx, "analytics", &clouddb.ServiceArgs{
			Provider:           pulumi.String("aws"),
			Region:             pulumi.String("us-east-1"),
			MinReplicaMemoryGb: pulumi.Int(8),
			MaxReplicaMemoryGb: pulumi.Int(32),
			NumReplicas:        pulumi.Int(numReplicas),
			IpAccessList: clouddb.ServiceIpAccessListEntryArray{
				&clouddb.ServiceIpAccessListEntryArgs{
					Source:      pulumi.String("203.0.113.0/24"),
					Description: pulumi.String("office"),
				},
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("serviceId", analytics.ID())
		ctx.Export("endpoints", analytics.ServiceEndpoints)
		// A secret: `pulumi stack output password --show-secrets`.
		ctx.Export("password", analytics.Password)
		return nil
	})
}
