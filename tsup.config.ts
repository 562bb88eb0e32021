import { writeFile } from 'node:fs/promises'
import { defineConfig, type Options } from 'tsup'
import { entryPoints } from './scripts/entry-points.ts'
import { markPureCalls } from './scripts/mark-pure-calls.ts'

/** Output path without extension → source, for every entry point. */
const entry = Object.fromEntries(
  entryPoints.map(({ source }) => [source.replace(/^src\//, '').replace(/\.ts$/, ''), source]),
)

const shared: Options = { target: 'es2022', sourcemap: false, splitting: true }

export default defineConfig(({ outDir = 'dist' }) => [
  {
    ...shared,
    // One output file per module, so that bundlers drop what an application does not import.
    entry: ['src/**/*.ts'],
    bundle: false,
    format: 'esm',
    // Both formats share one set of declarations, under the only name that TypeScript lets both import.
    async onSuccess() {
      for (const path of Object.keys(entry))
        await writeFile(`${outDir}/${path}.d.ts`, "export * from './index.cjs'\n")
    },
    plugins: [
      {
        name: 'modules',
        renderChunk: (code) => ({
          code: markPureCalls(code.replace(/(["'])(\.{1,2}\/[^"'\n]+)\.ts\1/g, '$1$2.js$1')),
        }),
      },
    ],
  },
  // Node loads CommonJS whole, so a few shared files load faster than many; nobody reads or bundles them.
  {
    ...shared,
    entry,
    dts: { entry },
    format: 'cjs',
    treeshake: true,
    esbuildOptions(options) {
      options.minify = true
    },
  },
])
