package upgrades

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/pulumi/providertest"
	"github.com/pulumi/providertest/optproviderupgrade"
	"github.com/pulumi/providertest/pulumitest"
	"github.com/pulumi/providertest/pulumitest/assertpreview"
	"github.com/pulumi/providertest/pulumitest/optnewstack"
	"github.com/pulumi/providertest/pulumitest/opttest"
)

type resource struct {
	URN, Type, ID   string
	Inputs, Outputs map[string]any
}

// The project and the name of the stack are those of the recorded states.
func newStack(t *testing.T, program string) *pulumitest.PulumiTest {
	return pulumitest.NewPulumiTest(t, filepath.Join(os.Getenv("PROGRAMS"), program),
		opttest.LocalProviderPath("clouddb", os.Getenv("PLUGIN")),
		opttest.NewStackOptions(optnewstack.DisableAutoDestroy()),
		opttest.StackName("dev"), opttest.ConfigPassphrase("test"), opttest.SkipInstall())
}

func TestUpgrade(t *testing.T) {
	releases, err := os.ReadDir(os.Getenv("RELEASES"))
	if err != nil {
		t.Fatal(err)
	}
	for _, release := range releases {
		t.Run(release.Name(), func(t *testing.T) {
			recorded := optproviderupgrade.CacheDir(os.Getenv("RELEASES"), optproviderupgrade.BaselineVersion)
			preview := providertest.PreviewProviderUpgrade(t, newStack(t, "upgrade"), "clouddb", release.Name(), recorded)
			if release.Name() == "control" {
				if preview.ChangeSummary["update"] == 0 {
					t.Errorf("the judge overlooks a change:\n%s", preview.StdOut)
				}
				return
			}
			assertpreview.HasNoReplacements(t, preview)
			assertpreview.HasNoChanges(t, preview)
		})
	}
}

func TestImportEqualsCreate(t *testing.T) {
	created, imported := newStack(t, "import"), newStack(t, "import")
	created.Up(t)
	expected := resources(t, created)
	for _, one := range expected {
		imported.Import(t, one.Type, name(one), importID(one), "", "--generate-code=false", "--skip-preview")
	}
	assertpreview.HasNoReplacements(t, imported.Preview(t))
	imported.Up(t)
	for urn, one := range resources(t, imported) {
		t.Run(name(one), func(t *testing.T) {
			// The API shows a password only once.
			delete(one.Outputs, "password")
			delete(expected[urn].Outputs, "password")
			if !reflect.DeepEqual(one, expected[urn]) {
				t.Errorf("imported:\n%v\ncreated:\n%v", one, expected[urn])
			}
		})
	}
	t.Run("preview", func(t *testing.T) { assertpreview.HasNoChanges(t, imported.Preview(t)) })
}

func resources(t *testing.T, stack *pulumitest.PulumiTest) map[string]resource {
	var deployment struct{ Resources []resource }
	if err := json.Unmarshal(stack.ExportStack(t).Deployment, &deployment); err != nil {
		t.Fatal(err)
	}
	own := map[string]resource{}
	for _, one := range deployment.Resources {
		if strings.HasPrefix(one.Type, "clouddb:") {
			own[one.URN] = one
		}
	}
	return own
}

func name(one resource) string { return one.URN[strings.LastIndex(one.URN, "::")+2:] }

func importID(one resource) string {
	if one.Type == "clouddb:index:Pipe" {
		return one.Inputs["serviceId"].(string) + "/" + one.ID
	}
	return one.ID
}
