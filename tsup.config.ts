import { writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { defineConfig, type Options } from 'tsup'
import { entryPoints } from './scripts/entry-points.ts'
import { markPureCalls } from './scripts/mark-pure-calls.ts'

/** Output path without extension → source, for every entry point. */
const entry = Object.fromEntries(
  entryPoints.map(({ source }) => [source.replace(/^src\//, '').replace(/\.ts$/, ''), source]),
)

const shared: Options = { target: 'es2022', sourcemap: false, splitting: true }

/** The binary imports the modules of the library, instead of a second copy of them. */
const libraryModules: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'library-modules',
  setup(build) {
    build.onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
      const [folder = '', ...rest] = relative('src', join(resolveDir, path)).split(sep)
      if (['cli', 'inspect', 'viewer'].includes(folder)) return undefined
      return { path: `../${[folder, ...rest].join('/').replace(/\.ts$/, '.js')}`, external: true }
    })
  },
}

export default defineConfig(({ outDir = 'dist' }) => [
  {
    ...shared,
    // One output file per module, so that bundlers drop what an application does not import.
    entry: ['src/**/*.ts', '!src/{cli,inspect,viewer}/**'],
    bundle: false,
    format: 'esm',
    // CommonJS loads the same modules, so that a process never has two copies of a class. Both formats share one
    // set of declarations, under the only name that TypeScript lets both import.
    async onSuccess() {
      for (const path of Object.keys(entry)) {
        await writeFile(`${outDir}/${path}.cjs`, "module.exports = require('./index.js')\n")
        await writeFile(`${outDir}/${path}.d.ts`, "export * from './index.cjs'\n")
      }
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
  { ...shared, entry, dts: { entry, only: true }, format: 'cjs' },
  // What only the binary has is in a few files, all in one folder: paths into the package are relative.
  {
    ...shared,
    entry: { main: 'src/cli/main.ts' },
    outDir: `${outDir}/cli`,
    format: 'esm',
    platform: 'node',
    minify: true,
    esbuildPlugins: [libraryModules],
  },
])
