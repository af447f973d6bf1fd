// The scripts of the page that compute, as one module: the same files, in the same order, as the page holds them.

import { readFileSync } from "node:fs";

const folder = new URL("../../src/boxwood/model/explorer/", import.meta.url);
const page = readFileSync(new URL("page.py", folder), "utf-8");
const files = /COMPUTES = \(([^)]*)\)/.exec(page)[1].match(/[\w]+\.js/g);
const source = files.map((file) => readFileSync(new URL(`assets/${file}`, folder), "utf-8")).join("\n");
const names = [...source.matchAll(/^(?:async )?(?:function|const) (\w+)/gm)].map((found) => found[1]);

export const explorer = new Function(`"use strict";\n${source}\nreturn { ${names.join(", ")} };`)();
