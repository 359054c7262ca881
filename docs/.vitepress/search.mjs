/** The site's search. VitePress sends the functions to the browser as text, so each of them stands alone. */
export const search = {
  provider: "local",
  options: { miniSearch: { searchOptions: { boostDocument, fuzzy, processTerm } } },
};

/** Words that readers type, with those that pages use; and words that say nothing. */
function processTerm(typed) {
  const SYNONYMS = {
    0: "open access",
    allowlist: "network ipaccesslist",
    cidr: "network ipaccesslist",
    delete: "stop managing",
    destroy: "stop managing",
    environment: "configuration",
    firewall: "network ipaccesslist",
    golang: "go languages",
    latest: "plugin",
    list: "find id",
    mock: "test mocks",
    only: "isreadonly",
    price: "cost",
    privatelink: "private endpoints",
    python: "yaml languages",
    regions: "region",
    resize: "scale scaling servicescaling",
    troubleshooting: "error messages",
    variables: "configuration",
    whitelist: "network ipaccesslist",
    wrong: "cdb3404 404 cdb3401",
  };
  const STOP_WORDS = "a all an and are by can do does for from how i in is it my of on or the to what when which with";
  const term = typed.toLowerCase();
  if (STOP_WORDS.split(" ").includes(term)) return null;
  // An HTTP status, and the code of the error that explains it.
  if (/^[45]\d\d$/.test(term)) return [term, `cdb3${term.startsWith("5") ? 500 : term}`];
  return [term, ...(SYNONYMS[term]?.split(" ") ?? [])];
}

/** Prefers guides, and pages to their sections; puts pages about the project last. */
function boostDocument(id, _term, { titles }) {
  if (/\/(changelog|contributing|performance)\./.test(id)) return 0.3;
  return (titles.length === 0 ? 1.5 : 1) * (id.includes("/guides/") ? 1.3 : 1);
}

/** Tolerates typing errors in words, but neither in numbers nor in short words, where a mistake makes another word. */
function fuzzy(term) {
  return term.length > 5 && !/\d/.test(term) ? 0.2 : false;
}
