package main

import (
	"github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		organization, err := clouddb.NewOrganization(ctx, "organization", &clouddb.OrganizationArgs{
			PrivateEndpoints: clouddb.OrganizationPrivateEndpointArray{
				&clouddb.OrganizationPrivateEndpointArgs{
					Id:          pulumi.String("vpce-0a1b2c3d4e5f60009"),
					Description: pulumi.String("data team"),
				},
			},
		})
		if err != nil {
			return err
		}
		_, err = clouddb.NewService(ctx, "reports", &clouddb.ServiceArgs{
			PrivateEndpointIds: pulumi.StringArray{
				pulumi.String("vpce-0a1b2c3d4e5f60009"),
			},
		}, pulumi.DependsOn([]pulumi.Resource{organization}))
		return err
	})
}
