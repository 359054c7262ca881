package main

import (
	"github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		analytics, err := clouddb.NewService(ctx, "analytics", &clouddb.ServiceArgs{
			DataWarehouseId:              pulumi.String("0c75d4e7-ccc3-4937-a836-8b22887c67f8"),
			HasTransparentDataEncryption: pulumi.Bool(false),
			IdleScaling:                  pulumi.Bool(true),
			IdleTimeoutMinutes:           pulumi.Int(15),
			IpAccessList: clouddb.ServiceIpAccessListEntryArray{
				&clouddb.ServiceIpAccessListEntryArgs{
					Description: pulumi.String("office"),
					Source:      pulumi.String("203.0.113.0/24"),
				},
				&clouddb.ServiceIpAccessListEntryArgs{
					Description: pulumi.String("build server"),
					Source:      pulumi.String("198.51.100.7"),
				},
			},
			IsReadonly:         pulumi.Bool(false),
			MaxReplicaMemoryGb: pulumi.Int(64),
			MinReplicaMemoryGb: pulumi.Int(16),
			Name:               pulumi.String("Analytics"),
			NumReplicas:        pulumi.Int(3),
			OrganizationId:     pulumi.String("5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01"),
		}, pulumi.Protect(true))
		if err != nil {
			return err
		}
		_, err = clouddb.NewServiceScaling(ctx, "size", &clouddb.ServiceScalingArgs{
			IdleScaling:        pulumi.Bool(true),
			IdleTimeoutMinutes: pulumi.Int(15),
			MaxReplicaMemoryGb: pulumi.Int(32),
			MinReplicaMemoryGb: pulumi.Int(8),
			NumReplicas:        pulumi.Int(2),
			OrganizationId:     pulumi.String("5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01"),
			ServiceId:          pulumi.String("a1b2c3d4-0002-4a53-9c1e-000000000002"),
		}, pulumi.Protect(true))
		if err != nil {
			return err
		}
		_, err = clouddb.NewPipe(ctx, "orders", &clouddb.PipeArgs{
			Name:           pulumi.String("orders"),
			OrganizationId: pulumi.String("5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01"),
			PipeId:         pulumi.String("b1b2c3d4-0001-4a53-9c1e-000000000001"),
			ServiceId:      analytics.ID(),
			Source: &clouddb.PipeSourceArgs{
				Kafka: &clouddb.PipeSourceKafkaArgs{
					IamRole: pulumi.String("arn:aws:iam::000000000000:role/ingest"),
					ReversePrivateEndpointIds: pulumi.StringArray{
						pulumi.String("rpe-1"),
					},
				},
			},
		}, pulumi.Protect(true))
		if err != nil {
			return err
		}
		return nil
	})
}
