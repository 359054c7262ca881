package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// Generates the SDK and refines its types: type checkers find missing arguments, and editors offer listed values.
func generatePython(pkg *schema.Package) (files, error) {
	generated, err := python.GeneratePackage(tool, pkg, nil, nil)
	if err != nil {
		return nil, err
	}
	// The package's description refers to a file that the generator writes elsewhere.
	generated["README.md"] = generated["pulumi_clouddb/README.md"]
	changes := valuesToOffer(pkg)
	for _, resource := range pkg.Resources {
		name := lastPart(resource.Token)
		start := fmt.Sprintf("class %s(pulumi.CustomResource):\n    @overload\n    def __init__(", name)
		if err := require(generated, name, start, "):\n", resource.InputProperties); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(resource.InputProperties, (*schema.Property).IsRequired) {
			// Reading a resource that exists needs no arguments.
			read := "return " + name + "(resource_name, opts=opts, __props__=__props__)"
			changes = append(changes, read, read+"  # type: ignore")
		}
	}
	for _, function := range pkg.Functions {
		if function.Inputs == nil {
			continue
		}
		name := lastPart(function.Token)
		for _, suffix := range []string{"(", "_output("} {
			start := "def " + python.PyName(name) + suffix
			if err := require(generated, name, start, ") ->", function.Inputs.Properties); err != nil {
				return nil, err
			}
		}
	}
	replacer := strings.NewReplacer(changes...)
	for name, text := range generated {
		if strings.HasSuffix(name, ".py") {
			generated[name] = []byte(replacer.Replace(string(text)))
		}
	}
	return generated, nil
}

// The generator makes every keyword argument optional. One that follows an optional one has to be passed by name.
func require(generated files, name, start, end string, properties []*schema.Property) error {
	file := "pulumi_clouddb/" + python.PyName(name) + ".py"
	before, rest, found := strings.Cut(string(generated[file]), start)
	signature, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return fmt.Errorf("%s does not contain %q", file, start)
	}
	isNamed := false
	for _, property := range properties {
		if !property.IsRequired() {
			continue
		}
		keyword := python.PyName(property.Name)
		argument := regexp.MustCompile(`\b` + keyword + `: Optional\[(.*)\] = None`)
		place := argument.FindStringSubmatchIndex(signature)
		if place == nil {
			return fmt.Errorf("%s does not contain an optional %s", file, keyword)
		}
		prefix := ""
		if !isNamed && strings.Contains(signature[:place[0]], "= None") {
			isNamed, prefix = true, "*, "
		}
		declared := prefix + keyword + ": " + signature[place[2]:place[3]]
		signature = signature[:place[0]] + declared + signature[place[1]:]
	}
	generated[file] = []byte(before + start + signature + end + after)
	return nil
}

// Editors offer members of an enum. They offer texts only if the type lists them.
func valuesToOffer(pkg *schema.Package) []string {
	changes := []string{"from typing import Any, Mapping,", "from typing import Any, Literal, Mapping,"}
	for _, named := range pkg.Types {
		enum, isEnum := named.(*schema.EnumType)
		if !isEnum {
			continue
		}
		var values []string
		for _, listed := range enum.Elements {
			values = append(values, fmt.Sprintf("'%v'", listed.Value))
		}
		name := lastPart(enum.Token)
		union := fmt.Sprintf("Union[_builtins.str, '%s']", name)
		literals := fmt.Sprintf("Union[_builtins.str, Literal[%s], '%s']", strings.Join(values, ", "), name)
		changes = append(changes, "pulumi.Input["+union, "pulumi.Input["+literals)
		// Documentation links to the enum.
		changes = append(changes, ":param pulumi.Input["+union, ":param pulumi.Input["+union)
	}
	return changes
}

func lastPart(token string) string {
	return token[strings.LastIndex(token, ":")+1:]
}
