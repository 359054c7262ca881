#!/usr/bin/env node
// npm links commands at installation, before the build.
require("../dist/cli.js").main();
