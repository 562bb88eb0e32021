// Proves that the benchmark lists what it measures. `bench.slow.ts` runs it.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { groups } from '../bench/runner/groups.ts'

it('npm run bench lists every file of rows, in BENCHMARKS.md too', () => {
  const files = readdirSync('bench/rows').map((file) => file.replace('.ts', ''))
  expect(groups.map(({ name }) => name).sort()).toEqual(files.sort())
  const parts = readFileSync('BENCHMARKS.md', 'utf8').matchAll(/<!-- bench (\w+) -->/g)
  expect([...parts].map(([, name]) => name)).toEqual(['summary', ...groups.map(({ name }) => name)])
})
