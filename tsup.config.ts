import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Options } from 'tsup'
import { entryPoints } from './scripts/entry-points.ts'
import { markPure } from './scripts/mark-pure.ts'

const root = fileURLToPath(new URL('.', import.meta.url))

/** Output path without extension → source, for every entry point. */
const entry = Object.fromEntries(
  entryPoints.map(({ source }) => [source.replace(/^src\//, '').replace(/\.ts$/, ''), source]),
)

const sources = Object.values(entry).map((path) => join(root, path))

/** Loaded without the rest of `turnstream`, of which they use little. */
const small = ['sse', 'thoughts', 'json'].map((name) => join(root, `src/${name}/index.ts`))

/**
 * Decides which modules share a chunk: those that the same entry points reach.
 *
 * - What the binary loads when it is needed is the entry point that has it. Each file that is loaded by itself would be an entry of
 *   its own, and split the chunks of all others.
 * - All entry points but the small ones reach all of `turnstream`, which is one chunk, then. Nothing is left of that import.
 */
const chunks: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'chunks',
  setup(build) {
    build.initialOptions.logOverride = { 'ignored-bare-import': 'silent' }
    build.onResolve({ filter: /^\.\.?\// }, ({ path, kind, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined
      const [, folder] = /\/(src\/(?:dialects\/[^/]+|providers|streams))\//.exec(join(resolveDir, path)) ?? []
      return folder === undefined ? undefined : { path: join(root, folder, 'index.ts') }
    })
    build.onResolve({ filter: /^all of turnstream$/ }, () => ({ path: join(root, 'src/index.ts') }))
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (!sources.includes(path) || small.includes(path)) return undefined
      return { contents: `${await readFile(path, 'utf8')}\nimport 'all of turnstream'`, loader: 'ts' }
    })
  },
}

export default defineConfig(({ outDir = 'dist' }) => ({
  // Code that entry points share is in chunks: few files load fast. The binary is one more user of these chunks.
  entry: { ...entry, 'cli/main': 'src/cli/main.ts' },
  format: 'esm',
  target: 'es2022',
  platform: 'node',
  splitting: true,
  sourcemap: false,
  esbuildPlugins: [chunks],
  esbuildOptions(options) {
    options.chunkNames = 'chunks/[name]-[hash]'
  },
  plugins: [{ name: 'pure', renderChunk: (code) => ({ code: markPure(code) }) }],
  // CommonJS loads the same files, so that a process never has two copies of a class.
  async onSuccess() {
    for (const path of Object.keys(entry)) {
      await writeFile(`${outDir}/${path}.cjs`, "module.exports = require('./index.js')\n")
    }
  },
}))
