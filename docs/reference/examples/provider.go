package main

import (
	"github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")
		secondKeyId := cfg.Require("secondKeyId")
		secondKeySecret := cfg.Require("secondKeySecret")
		secondAccount, err := clouddb.NewProvider(ctx, "second-account", &clouddb.ProviderArgs{
			KeyId:          pulumi.String(secondKeyId),
			KeySecret:      pulumi.ToSecret(secondKeySecret).(pulumi.StringOutput),
			OrganizationId: pulumi.String("5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01"),
		})
		if err != nil {
			return err
		}
		_, err = clouddb.NewServiceScaling(ctx, "size", &clouddb.ServiceScalingArgs{
			ServiceId:   pulumi.String("a1b2c3d4-0001-4a53-9c1e-000000000001"),
			NumReplicas: pulumi.Int(3),
		}, pulumi.Provider(secondAccount))
		if err != nil {
			return err
		}
		return nil
	})
}
