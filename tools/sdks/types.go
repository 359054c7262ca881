package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// Changes generated types, so that type checkers find more mistakes and editors offer listed values.
var refinements = map[string]func(files, schema.PackageSpec) error{
	"nodejs": refineNode,
	"python": refinePython,
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

// TypeScript forgets the listed values of `string | "one" | "other"`.
func refineNode(generated files, _ schema.PackageSpec) error {
	replaceIn(generated, ".ts", strings.NewReplacer("string | enums.", "(string & {}) | enums.").Replace)
	return nil
}

func refinePython(generated files, spec schema.PackageSpec) error {
	for token, resource := range spec.Resources {
		name := lastPart(token)
		start := fmt.Sprintf("class %s(pulumi.CustomResource):\n    @overload\n    def __init__(", name)
		if err := require(generated, name, start, "):\n", resource.RequiredInputs); err != nil {
			return err
		}
		// Reading a resource that exists needs no arguments.
		if len(resource.RequiredInputs) > 0 {
			read := "return " + name + "(resource_name, opts=opts, __props__=__props__)"
			replaceIn(generated, ".py", strings.NewReplacer(read, read+"  # type: ignore").Replace)
		}
	}
	for token, function := range spec.Functions {
		if function.Inputs == nil {
			continue
		}
		name := lastPart(token)
		for _, suffix := range []string{"(", "_output("} {
			start := "def " + python.PyName(name) + suffix
			if err := require(generated, name, start, ") ->", function.Inputs.Required); err != nil {
				return err
			}
		}
	}
	offerValues(generated, spec)
	return nil
}

// The generator makes every keyword argument optional. One that follows an optional one has to be passed by name.
func require(generated files, name, start, end string, required []string) error {
	file := "pulumi_clouddb/" + python.PyName(name) + ".py"
	before, rest, found := strings.Cut(string(generated[file]), start)
	signature, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return fmt.Errorf("%s does not contain %q", file, start)
	}
	isNamed := false
	for _, property := range slices.Sorted(slices.Values(required)) {
		argument := regexp.MustCompile(`\b` + python.PyName(property) + `: Optional\[(.*)\] = None`)
		place := argument.FindStringSubmatchIndex(signature)
		if place == nil {
			return fmt.Errorf("%s does not contain an optional %s", file, property)
		}
		prefix := ""
		if !isNamed && strings.Contains(signature[:place[0]], "= None") {
			isNamed, prefix = true, "*, "
		}
		declared := prefix + python.PyName(property) + ": " + signature[place[2]:place[3]]
		signature = signature[:place[0]] + declared + signature[place[1]:]
	}
	generated[file] = []byte(before + start + signature + end + after)
	return nil
}

// Editors offer members of an enum. They offer texts only if the type lists them.
func offerValues(generated files, spec schema.PackageSpec) {
	var changes []string
	for token, named := range spec.Types {
		var values []string
		for _, listed := range named.Enum {
			values = append(values, fmt.Sprintf("'%v'", listed.Value))
		}
		if len(values) > 0 {
			union := fmt.Sprintf("Union[_builtins.str, '%s']", lastPart(token))
			literals := fmt.Sprintf("Union[_builtins.str, Literal[%s], '%s']", strings.Join(values, ", "), lastPart(token))
			changes = append(changes, "pulumi.Input["+union, "pulumi.Input["+literals)
			// Documentation links to the enum.
			changes = append(changes, ":param pulumi.Input["+union, ":param pulumi.Input["+union)
		}
	}
	changes = append(changes, "from typing import Any, Mapping,", "from typing import Any, Literal, Mapping,")
	replaceIn(generated, ".py", strings.NewReplacer(changes...).Replace)
}

func replaceIn(generated files, ending string, change func(string) string) {
	for name, text := range generated {
		if strings.HasSuffix(name, ending) {
			generated[name] = []byte(change(string(text)))
		}
	}
}

func lastPart(token string) string {
	return token[strings.LastIndex(token, ":")+1:]
}
