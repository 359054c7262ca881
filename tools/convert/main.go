// Converts programs in YAML to Python, Go, C# and Java, as `pulumi convert` does: main SCHEMA FROM TO
// The converter and the generators are Pulumi's own; the language hosts that can be had as modules lack them.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/blang/semver"
	"github.com/hashicorp/hcl/v2"
	javagen "github.com/pulumi/pulumi-java/pkg/codegen/java"
	"github.com/pulumi/pulumi-yaml/pkg/pulumiyaml"
	"github.com/pulumi/pulumi-yaml/pkg/pulumiyaml/codegen"
	"github.com/pulumi/pulumi/pkg/v3/codegen/dotnet"
	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

type generator struct {
	generate func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error)
	file     string
}

var generators = map[string]generator{
	".py":   {python.GenerateProgram, "__main__.py"},
	".java": {javagen.GenerateProgram, "MyStack.java"},
	".cs":   {dotnet.GenerateProgram, "Program.cs"},
	".go":   {gogen.GenerateProgram, "main.go"},
}

// The only package of these programs: our own, from its schema.
type loader struct {
	spec schema.PackageSpec
}

func (l loader) LoadPackage(name string, _ *semver.Version) (*schema.Package, error) {
	if name != l.spec.Name {
		return nil, fmt.Errorf("unknown package %s", name)
	}
	pkg, problems, err := schema.BindSpec(l.spec, nil, schema.ValidationOptions{})
	if err == nil && problems.HasErrors() {
		err = problems
	}
	return pkg, err
}

func (l loader) LoadPackageV2(_ context.Context, d *schema.PackageDescriptor) (*schema.Package, error) {
	return l.LoadPackage(d.Name, d.Version)
}

func (l loader) LoadPackageReference(name string, version *semver.Version) (schema.PackageReference, error) {
	pkg, err := l.LoadPackage(name, version)
	if err != nil {
		return nil, err
	}
	return pkg.Reference(), nil
}

func (l loader) LoadPackageReferenceV2(
	_ context.Context, d *schema.PackageDescriptor,
) (schema.PackageReference, error) {
	return l.LoadPackageReference(d.Name, d.Version)
}

func main() {
	if err := convertAll(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func convertAll(schemaFile, from, to string) error {
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		return err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return err
	}
	// In examples, listed values are texts, as pages spell them.
	for _, resource := range spec.Resources {
		for name, property := range resource.InputProperties {
			property.OneOf = nil
			resource.InputProperties[name] = property
		}
	}
	programs, err := filepath.Glob(filepath.Join(from, "*.yaml"))
	if err != nil {
		return err
	}
	for _, program := range programs {
		if err := convert(program, loader{spec}, to); err != nil {
			return fmt.Errorf("%s: %w", program, err)
		}
	}
	return nil
}

func convert(file string, packages loader, to string) error {
	source, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	name := strings.TrimSuffix(filepath.Base(file), ".yaml")
	for ending, target := range generators {
		template, problems, err := pulumiyaml.LoadYAMLBytes(file, source)
		if err != nil {
			return err
		}
		if problems.HasErrors() {
			return problems
		}
		program, diagnostics, err := codegen.EjectProgram(template, packages)
		if err != nil {
			return err
		}
		if diagnostics.HasErrors() {
			return diagnostics
		}
		files, diagnostics, err := target.generate(program)
		if err != nil {
			return err
		}
		if diagnostics.HasErrors() {
			return diagnostics
		}
		// Go 1.26 does not separate imports of different owners, as it did before.
		text := strings.Replace(string(files[target.file]), "clouddb\"\n\t\"", "clouddb\"\n\n\t\"", 1)
		if err := os.WriteFile(filepath.Join(to, name+ending), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
