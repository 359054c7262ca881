import texts from "big-list-of-naughty-strings";
import { version } from "big-list-of-naughty-strings/package.json";

export const NAUGHTY = { source: "big-list-of-naughty-strings on npm", version, texts: [...new Set(texts)] };
