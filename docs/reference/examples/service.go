package main

import (
	"github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := clouddb.NewService(ctx, "analytics", &clouddb.ServiceArgs{
			Provider:           pulumi.String("aws"),
			Region:             pulumi.String("us-east-1"),
			MinReplicaMemoryGb: pulumi.Int(8),
			MaxReplicaMemoryGb: pulumi.Int(32),
			NumReplicas:        pulumi.Int(3),
			IpAccessList: clouddb.ServiceIpAccessListEntryArray{
				&clouddb.ServiceIpAccessListEntryArgs{
					Source:      pulumi.String("203.0.113.0/24"),
					Description: pulumi.String("office"),
				},
			},
		}, pulumi.Protect(true))
		if err != nil {
			return err
		}
		return nil
	})
}
