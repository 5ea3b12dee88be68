"""Hook of mkdocs.yml: links out of docs/, which the site does not hold, become text.

In the repository they lead to files beside docs/. With repo_url set in mkdocs.yml they lead there.
"""
import os
import re

LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((\.\./[^)\s]+)\)")


def on_page_markdown(markdown, page, config, **_):
    folder = os.path.dirname(page.file.src_path)

    def replace(match):
        text, target = match.groups()
        path = os.path.normpath(os.path.join(folder, target))
        if not path.startswith("../"):
            return match.group()
        if config.repo_url:
            return f"[{text}]({config.repo_url.rstrip('/')}/blob/main/{path[3:]})"
        return text if text.startswith("`") else f"`{text}`"

    return LINK.sub(replace, markdown)
