package main

import (
	"github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")
		staging, err := clouddb.NewProvider(ctx, "staging", &clouddb.ProviderArgs{
			BaseUrl:   pulumi.String(cfg.Require("stagingUrl")),
			KeyId:     pulumi.String(cfg.Require("stagingKeyId")),
			KeySecret: cfg.RequireSecret("stagingKeySecret"),
		})
		if err != nil {
			return err
		}
		trial, err := clouddb.NewService(ctx, "trial", &clouddb.ServiceArgs{
			NumReplicas: pulumi.Int(2),
		}, pulumi.Provider(staging))
		if err != nil {
			return err
		}
		found := clouddb.LookupServiceOutput(ctx, clouddb.LookupServiceOutputArgs{
			ServiceId: trial.ID(),
		}, pulumi.Provider(staging))
		ctx.Export("replicas", found.NumReplicas())
		return nil
	})
}
