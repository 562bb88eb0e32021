/** What a page needs of the library. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/**
 * The library as one file for a page.
 *
 * @param contents - What the page imports, as `export { … } from 'agentwire'`.
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
