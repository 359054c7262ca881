import { ensurePythonCommand } from "../../tools/setup/python";
import versions from "../../versions.json";
import { conclude } from "./support/conclude";
import { runPython, testWithPython } from "./support/python";
import { MARKDOWN_TEXTS, missingTexts, type Renderer, strayMarkup } from "./support/report";

testWithPython.each(MARKDOWN_TEXTS)(
  "%s are texts in a report as GitHub renders it",
  async (source, { version, texts }) => {
    const python = await ensurePythonCommand("cmarkgfm", "python");
    const render: Renderer = (all) => runPython("cmark.py", all, [], python) as string[];
    const failures = [...strayMarkup(texts, render), ...missingTexts(texts, render)];
    const judge = `rendered by cmark-gfm (cmarkgfm ${versions.pythonTools.cmarkgfm} on PyPI)`;
    conclude({ source: `${source}, ${judge}`, version }, texts.length, failures);
  },
);
