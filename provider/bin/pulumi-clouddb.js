#!/usr/bin/env node
// npm links only commands that exist when it installs, which is before the build.
require("../dist/creations.js");
