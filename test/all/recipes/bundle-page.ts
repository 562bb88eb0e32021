/** Bundles a page with the packed library, as an application does. */
import { readFile } from 'node:fs/promises'
import { build, type Plugin } from 'esbuild'
import { compile } from 'svelte/compiler'
import { compileScript, parse } from 'vue/compiler-sfc'

/**
 * @param entry - The script of the page.
 * @param project - A project with the library installed in it.
 */
export async function bundlePage(entry: string, project: string): Promise<string> {
  const library: Plugin = {
    name: 'library',
    setup({ onResolve, resolve }) {
      onResolve({ filter: /^turnstream(\/|$)/ }, ({ path, kind, resolveDir }) =>
        resolveDir === project ? undefined : resolve(path, { kind, resolveDir: project }),
      )
    },
  }
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    // Without the paths to the sources of the library.
    tsconfigRaw: {},
    define: { 'process.env.NODE_ENV': '"development"' },
    conditions: ['browser', 'development'],
    plugins: [library, components],
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

/** Compiles the components of Vue and Svelte. */
const components: Plugin = {
  name: 'components',
  setup({ onLoad }) {
    onLoad({ filter: /\.vue$/ }, async ({ path }) => {
      const { descriptor } = parse(await readFile(path, 'utf8'), { filename: path })
      return { contents: compileScript(descriptor, { id: path, inlineTemplate: true }).content, loader: 'ts' }
    })
    onLoad({ filter: /\.svelte$/ }, async ({ path }) => {
      const { js } = compile(await readFile(path, 'utf8'), { filename: path, generate: 'client', dev: true })
      return { contents: js.code, loader: 'js' }
    })
  },
}
