import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const src = (path: string): string => fileURLToPath(new URL(`./src/${path}`, import.meta.url))

export default defineConfig({
  test: {
    // Tests that wait or start many processes are `.slow.ts`: `npm run test:all -- slow` runs them.
    include: [process.env.SLOW === undefined ? 'test/**/*.test.ts' : 'test/**/*.slow.ts'],
    setupFiles: ['test/support/seed.ts', 'test/support/leftover-timers.ts'],
    globalSetup: ['test/support/cpu-time.ts'],
    testTimeout: 60_000,
    // What is polled for comes late on a busy machine, not never.
    expect: { poll: { timeout: 30_000 } },
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
