package main

import (
	"encoding/json"
	"os"
	"strings"

	"github.com/pulumi/pulumi-java/pkg/codegen/java"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

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

// The scopes of Pulumi's own dependencies hide the two others from the compiler.
const pom = `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>io.github.pulumi-clouddb</groupId>
  <artifactId>clouddb</artifactId>
  <version>VERSION</version>
  <name>clouddb</name>
  <description>DESCRIPTION</description>
  <url>REPOSITORY</url>
  <licenses>
    <license>
      <name>Apache-2.0</name>
      <url>https://www.apache.org/licenses/LICENSE-2.0.txt</url>
    </license>
  </licenses>
  <developers>
    <developer>
      <name>The pulumi-clouddb project</name>
      <url>REPOSITORY</url>
    </developer>
  </developers>
  <scm>
    <url>REPOSITORY</url>
  </scm>
  <properties>
    <maven.compiler.release>11</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>
      <groupId>com.pulumi</groupId>
      <artifactId>pulumi</artifactId>
      <version>PULUMI</version>
    </dependency>
    <dependency>
      <groupId>com.google.code.gson</groupId>
      <artifactId>gson</artifactId>
      <version>2.10</version>
    </dependency>
    <dependency>
      <groupId>com.google.code.findbugs</groupId>
      <artifactId>jsr305</artifactId>
      <version>3.0.2</version>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>3.15.0</version>
      </plugin>
    </plugins>
  </build>
</project>
`
