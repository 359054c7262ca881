package main

import (
	"github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := clouddb.NewService(ctx, "analytics", &clouddb.ServiceArgs{
			MinReplicaMemoryGb: pulumi.Int(16), // of each replica
			MaxReplicaMemoryGb: pulumi.Int(64),
			NumReplicas:        pulumi.Int(3),
			IdleScaling:        pulumi.Bool(true), // to zero while nobody uses it
			IdleTimeoutMinutes: pulumi.Int(15),
		})
		return err
	})
}
