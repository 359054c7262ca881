import { relative } from "node:path";
import { root } from "../../support/root";

process.env.CLOUDDB_TEST_FILE = relative(root, expect.getState().testPath ?? "");
