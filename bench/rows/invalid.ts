/** Invalid input of any shape: CPU time against its `JSON.parse`. */
import { strictEqual } from 'node:assert'
import { decodeEvent } from 'turnstream'
import { hostile } from '../support/hostile.ts'
import { race } from '../support/race.ts'
import { atMost, type Effort, type Row, ratioRow } from '../support/row.ts'

const LENGTH = 2_000_000

export async function bench({ rounds, scale }: Effort): Promise<Row[]> {
  const rows: Row[] = []
  for (const [name, make] of Object.entries(hostile)) {
    const text = make(LENGTH * scale)
    strictEqual(decodeEvent(JSON.parse(text)).status, 'invalid', name)
    const { decode, parse } = await race(Math.ceil(rounds / 2), {
      decode: () => decodeEvent(JSON.parse(text)).status.length,
      parse: () => JSON.parse(text).kind.length,
    })
    rows.push(ratioRow(name, decode, parse, 1, atMost(3)))
  }
  return rows
}
