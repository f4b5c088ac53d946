/** Writes the pieces into which CUT cuts each of the texts of standard input, a list in JSON. */

import { readFileSync } from "node:fs";

const { cutter } = await import(process.env.CUT ?? "");
const cut = cutter(JSON.parse(readFileSync(process.env.GRAMMAR ?? "", "utf-8")));
process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf-8")).map(cut)));
