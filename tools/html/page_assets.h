/*
 * page_assets.h - the page's style and script, built in from page.css and page.js, and their
 * hashes. The page's Content-Security-Policy names the hashes, so that no other style or script
 * runs.
 */
#ifndef CULPRIT_TOOLS_PAGE_ASSETS_H
#define CULPRIT_TOOLS_PAGE_ASSETS_H

#include <stddef.h>

#define PAGE_STYLE_HASH  "sha256-7tvTV69mXW9171w6D2vTOctQza6TWQO+hYg77iuYcEY="
#define PAGE_SCRIPT_HASH "sha256-BV/Gs9JneB742+iUHzpU8KiggOjJaGP+QSVtwgA9o0k="

extern const char page_style[];
extern const size_t page_style_size;
extern const char page_script[];
extern const size_t page_script_size;

#endif
