package main

import (
	"github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")
		orders, err := clouddb.NewPipe(ctx, "orders", &clouddb.PipeArgs{
			ServiceId: pulumi.String(cfg.Require("serviceId")),
			PipeId:    pulumi.String(cfg.Require("pipeId")),
			Source: &clouddb.PipeSourceArgs{
				Kafka: &clouddb.PipeSourceKafkaArgs{
					Credentials: &clouddb.PipeSourceKafkaCredentialsArgs{
						Username: pulumi.String("reader"),
						Password: cfg.RequireSecret("kafkaPassword"),
					},
				},
			},
			Settings: &clouddb.PipeSettingsArgs{
				StreamingMaxInsertWaitMs: pulumi.Int(5000),
			},
		})
		if err != nil {
			return err
		}
		ctx.Export("state", orders.State)
		return nil
	})
}
