#!/usr/bin/env bash
# k8s.io/apimachinery v0.37.2 (Kubernetes 1.37), resource.Quantity
# Behavior: Kubernetes rewrites a quantity to its canonical form when it writes an object back.
# Bytes without a suffix get a decimal one, 4000000000 becomes 4G. A binary fraction that has no
# whole number of bytes becomes thousandths of a byte: 1.1Gi is 1181116006400m. An exponent is
# kept. 0.5Gi becomes 512Mi. A parser of memory sizes that reads objects from a cluster therefore
# meets suffixes that their manifests do not have.
# Output seen:
#   4000000000 4G
#   1.1Gi 1181116006400m
#   4e9 4e9
#   0.5Gi 512Mi
#   1025Mi 1025Mi
. "$(dirname "$0")/lib.sh"

cat >main.go <<'GO'
package main

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/resource"
)

func main() {
	for _, text := range []string{"4000000000", "1.1Gi", "4e9", "0.5Gi", "1025Mi"} {
		quantity := resource.MustParse(text)
		fmt.Println(text, quantity.String())
	}
}
GO
go mod init finding 2>/dev/null
go get k8s.io/apimachinery/pkg/api/resource@v0.37.2 2>/dev/null

equals "$(go run .)" "4000000000 4G
1.1Gi 1181116006400m
4e9 4e9
0.5Gi 512Mi
1025Mi 1025Mi"
