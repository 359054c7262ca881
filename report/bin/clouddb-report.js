#!/usr/bin/env node
// npm only links commands that exist at installation, which is before the build.
require("../dist/cli.js");
