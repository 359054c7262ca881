// Generates SDKs from the schema with Pulumi's own generators, and protects created resources by default:
// main SCHEMA FOLDER PULUMI_VERSION PULUMI_VERSION_OF_JAVA CREATED_RESOURCE...
package main

import (
	"embed"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/pulumi/pulumi/pkg/v3/codegen"
	"github.com/pulumi/pulumi/pkg/v3/codegen/dotnet"
	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "`npm run sdks`"

type files = map[string][]byte

var languages = map[string]func(*schema.Package) (files, error){
	"dotnet": generateDotnet,
	"go":     generateGo,
	"java":   generateJava,
	"python": generatePython,
}

//go:embed icon.png
var icon embed.FS

// The generator downloads the package's icon: here, from this program.
func generateDotnet(pkg *schema.Package) (files, error) {
	http.DefaultTransport.(*http.Transport).RegisterProtocol("file", http.NewFileTransportFS(icon))
	pkg.LogoURL = "file:///icon.png"
	// The generator filters only the examples of resources.
	for _, function := range pkg.Functions {
		function.Comment = codegen.FilterExamples(function.Comment, "csharp")
	}
	generated, err := dotnet.GeneratePackage(tool, pkg, nil, nil)
	project := strings.NewReplacer(
		// The framework that the generator chooses is no longer supported.
		"<TargetFramework>net6.0<", "<TargetFramework>net8.0<",
		// Editors show the documentation of a package, which is a release.
		` Condition="'$(Configuration)|$(Platform)'=='Debug|AnyCPU'"`, "",
	)
	for name, text := range generated {
		if strings.HasSuffix(name, ".csproj") {
			generated[name] = []byte(project.Replace(string(text)))
		}
	}
	return generated, err
}

// The generator leaves the module's file to the repository in which the SDK is published.
func generateGo(pkg *schema.Package) (files, error) {
	generated, err := gogen.GeneratePackage(tool, pkg, nil)
	if err != nil {
		return nil, err
	}
	info, _ := pkg.Language["go"].(gogen.GoPackageInfo)
	module := fmt.Sprintf("module %s\n\ngo 1.24\n\nrequire github.com/pulumi/pulumi/sdk/v3 v%s\n",
		info.ImportBasePath, os.Args[3])
	generated["clouddb/go.mod"] = []byte(module)
	return generated, nil
}

func main() {
	if err := generate(os.Args[1], os.Args[2], os.Args[5:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func generate(schemaFile, folder string, created []string) error {
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		return err
	}
	for language, generator := range languages {
		var spec schema.PackageSpec
		if err := json.Unmarshal(text, &spec); err != nil {
			return err
		}
		widenIntegers(language, spec)
		// Generators change the package that they are given.
		pkg, problems, err := schema.BindSpec(spec, nil, schema.ValidationOptions{})
		if err != nil {
			return err
		}
		if problems.HasErrors() {
			return problems
		}
		generated, err := generator(pkg)
		if err != nil {
			return fmt.Errorf("%s: %w", language, err)
		}
		for _, class := range created {
			if err := protect(language, generated, class); err != nil {
				return fmt.Errorf("%s: %w", language, err)
			}
		}
		if err := write(filepath.Join(folder, language), generated); err != nil {
			return err
		}
	}
	return nil
}

// Takes the types that a language has of its own from the schema: integers with more than 32 bits.
func widenIntegers(language string, spec schema.PackageSpec) {
	var all []map[string]schema.PropertySpec
	for _, named := range spec.Types {
		all = append(all, named.Properties)
	}
	for _, function := range spec.Functions {
		if result := function.ReturnType; result != nil && result.ObjectTypeSpec != nil {
			all = append(all, result.ObjectTypeSpec.Properties)
		}
	}
	for _, properties := range all {
		for name, property := range properties {
			var own struct{ Type string }
			if json.Unmarshal(property.Language[language], &own) == nil && own.Type != "" {
				property.Type = own.Type
				properties[name] = property
			}
		}
	}
}

func write(folder string, generated files) error {
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	for name, text := range generated {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
