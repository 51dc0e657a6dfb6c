#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
//
// The command yosys, out of the npm package @yowasp/yosys: it sees the files of the current
// folder and below, and what it writes there is written. tools/newest.sh installs it.
import fs from "node:fs";
import path from "node:path";
import { runYosys, Exit } from "@yowasp/yosys";

// What benches need is large, and Yosys reads none of it.
const skipped = new Set(["golden", "tb", "waves", "node_modules", "sim", "network", "array", "speed"]);

// The files of a folder, as a tree of names.
function load(folder) {
    const tree = {};
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
        const at = path.join(folder, entry.name);
        if (entry.isDirectory() && !skipped.has(entry.name)) tree[entry.name] = load(at);
        else if (entry.isFile()) tree[entry.name] = new Uint8Array(fs.readFileSync(at));
    }
    return tree;
}

// Writes the files of a tree that are not as they were.
function store(folder, tree, before) {
    for (const [name, now] of Object.entries(tree)) {
        const at = path.join(folder, name);
        const was = before?.[name];
        if (typeof now !== "string" && !(now instanceof Uint8Array)) {
            fs.mkdirSync(at, { recursive: true });
            store(at, now, was);
        } else if (!was || !Buffer.from(now).equals(Buffer.from(was))) {
            fs.writeFileSync(at, now);
        }
    }
}

const before = load(".");
let after = before;
let code = 0;
try {
    after = await runYosys(process.argv.slice(2), before, { decodeASCII: false });
} catch (error) {
    if (!(error instanceof Exit)) throw error;
    code = error.code;
    after = error.files;
}
store(".", after, before);
process.exitCode = code;
