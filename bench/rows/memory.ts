/** Peak memory of invalid input, against its `JSON.parse`. Each figure comes from processes of their own. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureInChild } from '../support/child.ts'
import { hostile } from '../support/hostile.ts'
import { atMost, type Effort, type Row } from '../support/row.ts'

const LENGTH = 8_000_000

export async function bench({ scale }: Effort): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'turnstream-bench-'))
  try {
    return Object.entries(hostile).map(([what, make], n) => {
      const file = join(folder, `${n}.json`)
      writeFileSync(file, make(LENGTH * scale))
      const parse = peakMiB(file, 'JSON.parse(text)')
      const decode = peakMiB(file, 'decodeEvent(JSON.parse(text))')
      const detail = `${decode.toFixed(0)} MiB against ${parse.toFixed(0)} MiB`
      return { what, figure: decode / parse, unit: '×', budget: atMost(3), detail }
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** How far the work raises the peak of the process. */
function peakMiB(file: string, work: string): number {
  return measureInChild(`
    import { readFileSync } from 'node:fs'
    import { decodeEvent } from 'turnstream'
    const text = readFileSync(${JSON.stringify(file)}, 'latin1')
    const before = process.resourceUsage().maxRSS
    const result = ${work}
    report((process.resourceUsage().maxRSS - before) / 1024 + Number(result === 0))
  `)
}
