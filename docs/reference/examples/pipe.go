package main

import (
	"github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")
		kafka := cfg.Require("kafka")
		_, err := clouddb.NewPipe(ctx, "orders", &clouddb.PipeArgs{
			ServiceId: pulumi.String("a1b2c3d4-0001-4a53-9c1e-000000000001"),
			PipeId:    pulumi.String("b1b2c3d4-0001-4a53-9c1e-000000000001"),
			Source: &clouddb.PipeSourceArgs{
				Kafka: &clouddb.PipeSourceKafkaArgs{
					Credentials: &clouddb.PipeSourceKafkaCredentialsArgs{
						Username: pulumi.String("reader"),
						Password: pulumi.ToSecret(kafka).(pulumi.StringOutput),
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
		return nil
	})
}
