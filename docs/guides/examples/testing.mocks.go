package main

import (
	"testing"

	"github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type mocks struct{}

func (mocks) NewResource(args pulumi.MockResourceArgs) (string, resource.PropertyMap, error) {
	return args.Name + "-id", args.Inputs, nil
}

func (mocks) Call(args pulumi.MockCallArgs) (resource.PropertyMap, error) {
	if args.Token == "clouddb:index:getService" {
		return resource.PropertyMap{"id": args.Args["serviceId"], "numReplicas": resource.NewProperty(3.0)}, nil
	}
	return resource.PropertyMap{}, nil
}

// Stands for your program.
func declare(ctx *pulumi.Context) (pulumi.ArrayOutput, error) {
	analytics, err := clouddb.NewService(ctx, "analytics", &clouddb.ServiceArgs{Region: pulumi.String("us-east-1")})
	if err != nil {
		return pulumi.ArrayOutput{}, err
	}
	found := clouddb.LookupServiceOutput(ctx, clouddb.LookupServiceOutputArgs{ServiceId: analytics.ID()})
	return pulumi.All(analytics.Region, found.NumReplicas()), nil
}

func TestRegionAndReplicas(t *testing.T) {
	err := pulumi.RunErr(func(ctx *pulumi.Context) error {
		declared, err := declare(ctx)
		if err != nil {
			return err
		}
		checked := make(chan struct{})
		declared.ApplyT(func(values []interface{}) error {
			defer close(checked)
			region, replicas := values[0].(*string), values[1].(*int)
			if *region != "us-east-1" || *replicas != 3 {
				t.Errorf("region %s, %d replicas", *region, *replicas)
			}
			return nil
		})
		<-checked
		return nil
	}, pulumi.WithMocks("project", "dev", mocks{}))
	if err != nil {
		t.Fatal(err)
	}
}
