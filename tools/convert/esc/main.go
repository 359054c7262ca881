// Evaluates an environment of Pulumi ESC, from standard input, with Pulumi's own evaluator: main SECRET
// In place of a secret store, every provider named `…-secrets` returns SECRET for each name.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/pulumi/esc"
	"github.com/pulumi/esc/eval"
	"github.com/pulumi/esc/schema"
)

type provider struct {
	name string
}

func (provider) Schema() (*schema.Schema, *schema.Schema) {
	return schema.Always(), schema.Always()
}

func (p provider) Open(_ context.Context, inputs map[string]esc.Value, _ esc.EnvExecContext) (esc.Value, error) {
	if !strings.HasSuffix(p.name, "-secrets") {
		return esc.NewSecret(inputs), nil
	}
	names, ok := inputs["get"].Value.(map[string]esc.Value)
	if !ok {
		return esc.Value{}, fmt.Errorf("%s needs `get`", p.name)
	}
	secrets := map[string]esc.Value{}
	for name := range names {
		secrets[name] = esc.NewSecret(os.Args[1])
	}
	return esc.NewValue(secrets), nil
}

type loader struct{}

func (loader) LoadProvider(_ context.Context, name string) (esc.Provider, error) {
	return provider{name}, nil
}

func (loader) LoadRotator(_ context.Context, name string) (esc.Rotator, error) {
	return nil, fmt.Errorf("no rotator %s", name)
}

func (loader) LoadEnvironment(_ context.Context, name string) ([]byte, eval.Decrypter, error) {
	return nil, nil, fmt.Errorf("no environment %s", name)
}

func main() {
	if err := evaluate(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func evaluate() error {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	declaration, problems, err := eval.LoadYAMLBytes("environment", text)
	if err != nil {
		return err
	}
	if problems.HasErrors() {
		return fmt.Errorf("%v", problems)
	}
	values, err := esc.NewExecContext(map[string]esc.Value{})
	if err != nil {
		return err
	}
	environment, problems := eval.EvalEnvironment(
		context.Background(), "environment", declaration, nil, loader{}, loader{}, values,
	)
	if problems.HasErrors() {
		return fmt.Errorf("%v", problems)
	}
	// Secrets are marked as such.
	return json.NewEncoder(os.Stdout).Encode(environment.Properties)
}
