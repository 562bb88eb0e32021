/** Checking a stream against the rules, and merging its deltas. */
import { strictEqual } from 'node:assert'
import { type ContextAnyEvent, run } from 'turnstream'
import { compact, verifier } from 'turnstream/streams'
import { wordsFrom } from '../support/data.ts'
import { race } from '../support/race.ts'
import { atLeast, type Effort, nsEach, type Row } from '../support/row.ts'
import { legalTask } from '../support/tasks.ts'

const COUNT = 20_000

export async function bench({ rounds, scale }: Effort): Promise<Row[]> {
  const count = Math.ceil(COUNT * scale)
  const deltas = deltasOf(count)
  const whole = legalTask(count)
  strictEqual(verify(whole), 0)
  strictEqual(compact(deltas).length, 1)
  const times = await race(rounds, {
    verifyDeltas: () => verify(deltas),
    verifyTask: () => verify(whole),
    compactDeltas: () => compact(deltas).length,
    compactTask: () => compact(whole).length,
  })
  const rowOf = (what: string, time: keyof typeof times, least?: number): Row => ({
    what,
    figure: 1e3 / nsEach(times[time], count),
    unit: 'M/s',
    ...(least !== undefined && { budget: atLeast(least) }),
  })
  return [
    rowOf('`verifier`, content deltas', 'verifyDeltas', 1),
    rowOf('`verifier`, a task of turns with tools, thoughts and text', 'verifyTask', 1),
    rowOf('`compact`, content deltas', 'compactDeltas', 1),
    rowOf('`compact`, a task of turns with tools, thoughts and text', 'compactTask', 1),
  ]
}

function verify(events: readonly ContextAnyEvent[]): number {
  const { push, end } = run(verifier())
  let violations = 0
  for (const event of events) violations += push(event).length
  return violations + end().length
}

function deltasOf(count: number): ContextAnyEvent[] {
  const words = wordsFrom(3)
  const context = { contextId: 'ctx-1', taskId: 'task-1', timestamp: '2026-01-31T10:30:00.000Z' }
  return Array.from({ length: count }, (_, index) => ({
    kind: 'content-delta',
    ...context,
    delta: words(1),
    index,
  }))
}
