package main

import (
	"errors"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
	"github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb"
)

// Adopts a service and the pipe that loads orders into it, and manages the size of the service. The API cannot create
// pipes: create them in the console.
func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		settings := config.New(ctx, "")
		maxReplicaMemoryGb, err := settings.TryInt("maxReplicaMemoryGb")
		if errors.Is(err, config.ErrMissingVar) {
			maxReplicaMemoryGb = 64
		} else if err != nil {
			return err
		}
		warehouse, err := clouddb.NewService(ctx, "warehouse", &clouddb.ServiceArgs{
			ExistingServiceId: pulumi.String(settings.Require("serviceId")),
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
		// A separate resource for scaling: its changes cannot affect anything else of the service.
		size, err := clouddb.NewServiceScaling(ctx, "warehouse-size", &clouddb.ServiceScalingArgs{
			ServiceId:          warehouse.ID(),
			MinReplicaMemoryGb: pulumi.Int(16),
			MaxReplicaMemoryGb: pulumi.Int(maxReplicaMemoryGb),
			NumReplicas:        pulumi.Int(3),
		})
		if err != nil {
			return err
		}
		orders, err := clouddb.NewPipe(ctx, "orders", &clouddb.PipeArgs{
			ServiceId: warehouse.ID(),
			PipeId:    pulumi.String(settings.Require("pipeId")),
			Source: &clouddb.PipeSourceArgs{
				Kafka: &clouddb.PipeSourceKafkaArgs{
					Credentials: &clouddb.PipeSourceKafkaCredentialsArgs{
						Username: pulumi.String("reader"),
						Password: settings.RequireSecret("kafkaPassword"),
					},
				},
			},
			Settings: &clouddb.PipeSettingsArgs{StreamingMaxInsertWaitMs: pulumi.Int(5000)},
		})
		if err != nil {
			return err
		}
		ctx.Export("replicas", size.NumReplicas)
		ctx.Export("state", orders.State)
		return nil
	})
}
