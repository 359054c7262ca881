/** The languages of examples, in the order in which pages show them, by the ending of their files. */
export const LANGUAGES = {
  ts: { title: "TypeScript", fence: "ts", registryName: "typescript" },
  py: { title: "Python", fence: "python", registryName: "python" },
  go: { title: "Go", fence: "go", registryName: "go" },
  yaml: { title: "YAML", fence: "yaml", registryName: "yaml" },
};

/** The lines around the same program in several languages, on pages that GitHub shows, too. */
export const [LANGUAGES_START, LANGUAGES_END] = ["<!-- languages -->", "<!-- end: languages -->"];
