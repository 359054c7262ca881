package main

import (
	"github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := clouddb.NewServiceAccess(ctx, "reporting", &clouddb.ServiceAccessArgs{
			ServiceId: pulumi.String("a1b2c3d4-0001-4a53-9c1e-000000000001"),
			IpAccessList: clouddb.ServiceAccessIpAccessListEntryArray{
				&clouddb.ServiceAccessIpAccessListEntryArgs{
					Source:      pulumi.String("192.0.2.0/28"),
					Description: pulumi.String("reporting jobs"),
				},
			},
		})
		if err != nil {
			return err
		}
		return nil
	})
}
