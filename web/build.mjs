// Builds the pages into the folder given: each file of src/pages is a script of its own, shared parts are split off.
import { readdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = resolve(process.argv[2] ?? join(here, "../src/woodstock/web/static"));
const pages = readdirSync(join(here, "src/pages")).filter((name) => name.endsWith(".ts"));

rmSync(target, { recursive: true, force: true });
await build({
  entryPoints: [...pages.map((name) => join(here, "src/pages", name)), join(here, "src/style/site.css")],
  outdir: target,
  entryNames: "[name]",
  chunkNames: "part-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "none",
  loader: { ".svg": "dataurl" },
  logLevel: "warning",
});
