import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vitest/config'

const src = (path: string): string => fileURLToPath(new URL(`./src/${path}`, import.meta.url))

/**
 * Loads the files of `src` as `npm test` has transpiled them, without a transformation by vitest: a tenth of the time of
 * all tests. Other runs, which do not set `TRANSPILED`, see changes at once, and have lines of the sources.
 */
const transpiled: Plugin = {
  name: 'transpiled',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    const found = await this.resolve(source, importer, { ...options, skipSelf: true })
    if (!found?.id.startsWith(src(''))) return found
    const id = found.id.replace(src(''), src('../transpiled/')).replace(/\.tsx?$/, '.js')
    return { id, external: true }
  },
}

export default defineConfig({
  plugins: process.env.TRANSPILED === undefined ? [] : [transpiled],
  test: {
    server: { deps: { external: [/\/transpiled\//] } },
    // Tests that wait or start many processes are `.slow.ts`: `npm run test:all -- slow` runs them.
    include: [process.env.SLOW === undefined ? 'test/**/*.test.ts' : 'test/**/*.slow.ts'],
    setupFiles: ['test/support/seed.ts', 'test/support/leftover-timers.ts', 'test/support/polling.ts'],
    globalSetup: ['test/support/cpu-time.ts'],
    testTimeout: 60_000,
    // What is polled for comes late on a busy machine, not never.
    expect: { poll: { interval: 10, timeout: 30_000 } },
    // Threads start faster than processes, and their time is counted with that of the process.
    pool: 'threads',
    // By default one less, which is one on two cores.
    maxWorkers: availableParallelism(),
    // Loading the sources anew for each file took half of the time.
    isolate: false,
    coverage: {
      include: ['src/**/*.ts'],
      // What draws on a page runs in a browser: `npm run test:all -- viewer`.
      exclude: ['src/viewer/ui/**', 'src/viewer/main.ts'],
      thresholds: { lines: 95 },
      reporter: ['text-summary', 'text'],
    },
  },
  resolve: {
    // The names a user imports, so that tests and README examples read as their code does.
    alias: [
      { find: /^turnstream$/, replacement: src('index.ts') },
      {
        find: new RegExp(`^turnstream/(${readdirSync(src('dialects')).join('|')})$`),
        replacement: `${src('dialects/')}$1/index.ts`,
      },
      { find: /^turnstream\/(.+)$/, replacement: `${src('')}$1/index.ts` },
    ],
  },
})
