package main

import (
	_ "embed"
	"encoding/json"
	"os"
	"strings"

	"github.com/pulumi/pulumi-java/pkg/codegen/java"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

//go:embed pom.xml
var pom string

// The generator writes files for Gradle, and a Java 11 to compile with; Maven needs neither of them.
func generateJava(pkg *schema.Package) (files, error) {
	pkg.Language["java"] = java.PackageInfo{BuildFiles: "none"}
	generated, err := java.GeneratePackage(tool, pkg, nil, nil, false, false)
	if err != nil {
		return nil, err
	}
	plugin, err := json.Marshal(map[string]any{
		"resource": true,
		"name":     pkg.Name,
		"version":  pkg.Version.String(),
		"server":   pkg.PluginDownloadURL,
	})
	if err != nil {
		return nil, err
	}
	// From this, Pulumi learns which plugin a program needs.
	generated["src/main/resources/com/pulumi/clouddb/plugin.json"] = plugin
	generated["pom.xml"] = []byte(strings.NewReplacer(
		"VERSION", pkg.Version.String(), "PULUMI", os.Args[4], "DESCRIPTION", pkg.Description, "REPOSITORY", pkg.Repository,
	).Replace(pom))
	return generated, nil
}
