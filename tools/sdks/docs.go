package main

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/pulumi/pulumi/pkg/v3/codegen"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
)

// The language of examples, and the spelling of arguments and outputs. Elsewhere they are spelled as in the schema.
var documentation = map[string]struct {
	examples string
	spell    func(string) string
}{
	"dotnet": {"csharp", capitalized},
	"go":     {"go", capitalized},
	"java":   {"java", nil},
	"nodejs": {"typescript", nil},
	"python": {"python", python.PyName},
}

func capitalized(name string) string {
	return strings.ToUpper(name[:1]) + name[1:]
}

var word = regexp.MustCompile("`?(?:clouddb:)?[A-Za-z]\\w*(?:\\.[a-z]\\w*)*`?")

// Writes the descriptions of a schema for a language: with its examples alone, and names as its programs write them.
func describeIn(language string, text []byte) ([]byte, error) {
	var spec any
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	names := map[string]bool{"protect": true, "retainOnDelete": true}
	eachObject(spec, func(object map[string]any) {
		for _, key := range []string{"inputProperties", "properties", "variables", "functions"} {
			members, _ := object[key].(map[string]any)
			for name := range members {
				// Some functions have other names in Go: its GetService is the getter of the resource.
				if key != "functions" || language != "go" {
					names[lastPart(name)] = true
				}
			}
		}
	})
	in := documentation[language]
	eachObject(spec, func(object map[string]any) {
		for _, key := range []string{"description", "deprecationMessage"} {
			if text, isText := object[key].(string); isText {
				prose, examples, _ := strings.Cut(text, "{{% examples %}}")
				if in.spell != nil {
					prose = word.ReplaceAllStringFunc(prose, func(found string) string { return spelled(found, names, in.spell) })
				}
				if examples != "" {
					examples = codegen.FilterExamples("{{% examples %}}"+examples, in.examples)
				}
				object[key] = prose + examples
			}
		}
	})
	return json.Marshal(spec)
}

// One word without capitals is a name only as code: otherwise, it may be a word of the sentence.
func spelled(found string, names map[string]bool, spell func(string) string) string {
	name := strings.Trim(found, "`")
	if name == strings.ToLower(name) && len(found)-len(name) < 2 {
		return found
	}
	parts := strings.Split(name, ".")
	for i, part := range parts {
		if !names[part] {
			return found
		}
		parts[i] = spell(part)
	}
	return strings.Replace(found, name, strings.Join(parts, "."), 1)
}

func eachObject(value any, visit func(map[string]any)) {
	switch value := value.(type) {
	case map[string]any:
		visit(value)
		for _, inner := range value {
			eachObject(inner, visit)
		}
	case []any:
		for _, inner := range value {
			eachObject(inner, visit)
		}
	}
}
