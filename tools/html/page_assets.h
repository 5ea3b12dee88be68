/*
 * page_assets.h - style and script of the page, as the compiler found them in page.css and page.js,
 * and by which hashes the page's policy lets them in: no other style or script runs in it.
 */
#ifndef CULPRIT_TOOLS_PAGE_ASSETS_H
#define CULPRIT_TOOLS_PAGE_ASSETS_H

#include <stddef.h>

#define PAGE_STYLE_HASH  "sha256-uqgEDb7APEpmDweN3Xc/LMiQWD2sMnAJFGLvBQmlXAQ="
#define PAGE_SCRIPT_HASH "sha256-e936S9VMsfqqiGFdlKYDmYdMeDc7R6esPSRI0hUFfMI="

extern const char page_style[];
extern const size_t page_style_size;
extern const char page_script[];
extern const size_t page_script_size;

#endif
