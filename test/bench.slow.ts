// Proves that the benchmark runs: each group that needs no installed package does a little of its work, and checks
// that its contenders agree.
import { describe, expect, it } from 'vitest'
import { groups } from '../bench/runner/groups.ts'
import type { Effort, Row } from '../bench/support/row.ts'

interface Rows {
  readonly bench: (effort: Effort) => Promise<Row[]>
}

describe('npm run bench', () => {
  it.each(groups.filter(({ needs }) => needs === 'source'))('measures $name', async ({ name }) => {
    const { bench } = (await import(`../bench/rows/${name}.ts`)) as Rows
    const rows = await bench({ rounds: 1, scale: 0.05 })
    expect(rows.length).toBeGreaterThan(0)
    for (const { what, figure } of rows) expect(figure, what).toSatisfy(Number.isFinite)
  })
})
