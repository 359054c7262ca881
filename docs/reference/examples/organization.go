package main

import (
	"github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := clouddb.NewOrganization(ctx, "organization", &clouddb.OrganizationArgs{
			Name: pulumi.String("Example organization"),
			PrivateEndpoints: clouddb.OrganizationPrivateEndpointArray{
				&clouddb.OrganizationPrivateEndpointArgs{
					Id:          pulumi.String("vpce-0a1b2c3d4e5f60009"),
					Description: pulumi.String("new network"),
				},
			},
		})
		if err != nil {
			return err
		}
		return nil
	})
}
