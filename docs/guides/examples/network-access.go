package main

import (
	"github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := clouddb.NewService(ctx, "analytics", &clouddb.ServiceArgs{
			IpAccessList: clouddb.ServiceIpAccessListEntryArray{
				&clouddb.ServiceIpAccessListEntryArgs{
					Source:      pulumi.String("203.0.113.0/24"),
					Description: pulumi.String("office"),
				},
				&clouddb.ServiceIpAccessListEntryArgs{
					Source:      pulumi.String("198.51.100.7"),
					Description: pulumi.String("build server"),
				},
			},
		})
		return err
	})
}
