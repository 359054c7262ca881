package main

import (
	"fmt"
	"strings"
)

// A change of what a generator writes into the class of a created resource. CLASS and FILE stand for its name.
type change struct{ file, before, after string }

// Protects a created resource unless the program decides otherwise: a plugin learns too late of a removal, a new name,
// `--replace` or a taint; only this option makes the preview fail. An unprotected resource is deleted before it is
// replaced, which fails before anything is created. Only Python can read a parent's decision.
var protection = map[string]change{
	"dotnet": {
		"CLASS.cs",
		`MakeResourceOptions(options, ""))
        {
        }
`,
		`MakeResourceOptions(ProtectByDefault(options), ""))
        {
        }

        private static CustomResourceOptions? ProtectByDefault(CustomResourceOptions? options)
        {
            if (options?.RetainOnDelete == true) return options;
            return CustomResourceOptions.Merge(new CustomResourceOptions { DeleteBeforeReplace = true, Protect = true }, options);
        }
`,
	},
	"go": {
		"clouddb/FILE.go",
		`		args = &CLASSArgs{}
	}
`,
		`		args = &CLASSArgs{}
	}
	// The program's own options come later, and win.
	if options, err := pulumi.NewResourceOptions(opts...); err != nil || !options.RetainOnDelete {
		opts = append([]pulumi.ResourceOption{pulumi.DeleteBeforeReplace(true), pulumi.Protect(true)}, opts...)
	}
`,
	},
	"java": {
		"src/main/java/com/pulumi/clouddb/CLASS.java",
		`makeArgs(args, options), makeResourceOptions(options, Codegen.empty()), false);
    }
`,
		`makeArgs(args, options), makeResourceOptions(protectByDefault(options), Codegen.empty()), false);
    }

    private static @Nullable com.pulumi.resources.CustomResourceOptions protectByDefault(@Nullable com.pulumi.resources.CustomResourceOptions options) {
        if (options != null && options.isRetainOnDelete()) return options;
        var defaults = com.pulumi.resources.CustomResourceOptions.builder().deleteBeforeReplace(true).protect(true).build();
        return com.pulumi.resources.CustomResourceOptions.merge(defaults, options, null);
    }
`,
	},
	"python": {
		"pulumi_clouddb/FILE.py",
		`            raise TypeError('Expected resource options to be a ResourceOptions instance')
`,
		`            raise TypeError('Expected resource options to be a ResourceOptions instance')
        if opts.id is None and not opts.retain_on_delete:
            if opts.delete_before_replace is None:
                opts.delete_before_replace = True
            if opts.protect is None and getattr(opts.parent, '_protect', None) is None:
                opts.protect = True
`,
	},
}

// Protects a resource by default. Fails if the generator's output has changed: a missing protection would go unnoticed.
func protect(language string, generated files, class string) error {
	fileName := strings.ToLower(class[:1]) + class[1:]
	named := strings.NewReplacer("CLASS", class, "FILE", fileName).Replace
	change := protection[language]
	file, before := named(change.file), named(change.before)
	text := string(generated[file])
	if strings.Count(text, before) != 1 {
		return fmt.Errorf("%s does not contain this once: %q", file, before)
	}
	generated[file] = []byte(strings.Replace(text, before, named(change.after), 1))
	return nil
}
