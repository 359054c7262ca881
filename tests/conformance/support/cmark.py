"""Renders a JSON list of Markdown as GitHub does before it removes dangerous elements: as a JSON list of HTML."""

import json
import sys

import cmarkgfm
from cmarkgfm.cmark import Options

render = cmarkgfm.github_flavored_markdown_to_html
print(json.dumps([render(text, Options.CMARK_OPT_UNSAFE) for text in json.load(sys.stdin)]))
