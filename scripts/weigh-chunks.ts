// Lists what a screen of the site loads: its chunks by compressed size, and in each its largest modules.
// npx node scripts/weigh-chunks.ts app/admin/layout.tsx app/admin/customer-list.tsx
import { brotliCompressSync } from "node:zlib";
import { createBuilder, minify, type Rolldown } from "vite";

const modulesShown = 12;
const always = ["app/entry.client.tsx", "app/root.tsx"];

const chunks = await buildChunks();
const begun = [...always, ...process.argv.slice(2)];
const needed = withImports(chunks.filter(({ facadeModuleId }) => begun.some((file) => isFile(facadeModuleId, file))));
const weighed = needed.map((chunk) => ({ chunk, bytes: compressed(chunk.code) })).toSorted((a, b) => b.bytes - a.bytes);
console.log(`${weighed.reduce((sum, { bytes }) => sum + bytes, 0)} bytes of script, compressed`);
for (const { chunk, bytes } of weighed) {
  console.log(`${bytes} ${chunk.fileName}`);
  const modules = Object.entries(chunk.modules).filter(([, { renderedLength }]) => renderedLength > 0);
  // oxlint-disable-next-line no-await-in-loop -- printed in order
  const sized = await Promise.all(modules.map(async ([id, { code }]) => [await sizeOf(id, code ?? ""), id] as const));
  for (const [size, id] of sized.toSorted((a, b) => b[0] - a[0]).slice(0, modulesShown))
    console.log(
      `  ${String(size).padStart(6)} ${id.replace(/^.*node_modules\//, "").replace(`${process.cwd()}/`, "")}`,
    );
}

/** The site's chunks as a build would write them. */
async function buildChunks(): Promise<Rolldown.OutputChunk[]> {
  process.env["NODE_ENV"] = "production";
  const builder = await createBuilder({ logLevel: "warn", build: { write: false } });
  const { client } = builder.environments;
  if (!client) throw new Error("There is no build of the client");
  const built = await builder.build(client);
  const outputs = "output" in built ? [built] : Array.isArray(built) ? built : [];
  return outputs.flatMap(({ output }) => output).filter((file) => file.type === "chunk");
}

function withImports(begun: Rolldown.OutputChunk[]): Rolldown.OutputChunk[] {
  const found = new Set(begun);
  for (const chunk of found) for (const other of chunks) if (chunk.imports.includes(other.fileName)) found.add(other);
  return [...found];
}

function isFile(id: string | null, file: string): boolean {
  return id?.replace(/\?.*$/, "").endsWith(`/${file}`) ?? false;
}

function compressed(code: string): number {
  return brotliCompressSync(code).byteLength;
}

/** Compressed alone; together with other code it takes less. */
async function sizeOf(id: string, code: string): Promise<number> {
  return compressed((await minify(id, code)).code);
}
