/** Bundles the library for a page. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/**
 * Bundles what a page imports into one file.
 *
 * @param contents - The imports of the page, as `export { … } from 'turnstream'`.
 */
export async function bundle(contents: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    tsconfig: fileURLToPath(new URL('../tsconfig.json', import.meta.url)),
    bundle: true,
    format: 'esm',
    minify: true,
    write: false,
  })
  return outputFiles[0]?.contents ?? new Uint8Array()
}
