/** Bytes to validated events, and one message that comes in very many chunks. */
import { deepStrictEqual } from 'node:assert'
import type { ContextAnyEvent } from 'turnstream'
import { chunksOf, dataOnlySse, makeEvents, type Script, sseOf, wordsFrom } from '../support/data.ts'
import { race } from '../support/race.ts'
import {
  type Reader,
  readAll,
  readOneByOne,
  readOurs,
  readRaw,
  readUnvalidated,
  summing,
} from '../support/readers.ts'
import { atMost, type Budget, type Effort, type LimitByNode, type Row, ratioRow } from '../support/row.ts'

const COUNT = 30_000
const BLOCK = 16_384
const ascii: LimitByNode = { 20: 1.15, 24: 1.35 }

export async function bench({ rounds, scale }: Effort): Promise<Row[]> {
  const count = Math.ceil(COUNT * scale)
  const ofScript = (script: Script): Input => {
    const events = makeEvents(count, script)
    return { events, chunks: chunksOf(sseOf(events), BLOCK) }
  }
  const plain = ofScript('ascii')
  const { events } = plain
  const dataOnly = { events, chunks: chunksOf(dataOnlySse(events), BLOCK) }
  const single = { events, chunks: events.flatMap((event) => chunksOf(sseOf([event]), 1e6)) }
  const compare = (what: string, reader: Reader<ContextAnyEvent>, input: Input, budget?: Budget) =>
    compareWithRaw(rounds, what, reader, input, budget)
  return [
    await compare('`eventDecoder`, ASCII', readOurs, plain, atMost(ascii)),
    await compare(
      '`eventDecoder`, 1 % multi-byte',
      readOurs,
      ofScript('mixed'),
      atMost({ 20: 1.25, 24: 1.35 }),
    ),
    await compare('`eventDecoder`, CJK', readOurs, ofScript('cjk')),
    await compare('`eventDecoder`, ASCII, only `data` lines', readOurs, dataOnly, atMost(ascii)),
    await compare('`eventDecoder`, ASCII, one event a chunk', readOurs, single, atMost(1.4)),
    await compare('`readEvents`, event by event, ASCII', readOneByOne, plain),
    await compare('`sseDecoder` and `JSON.parse`, nothing validated, ASCII', readUnvalidated, plain),
    ...(await bigMessage(rounds, Math.ceil(1_650_000 * scale))),
  ]
}

interface Input {
  readonly events: readonly ContextAnyEvent[]
  readonly chunks: readonly Uint8Array[]
}

async function compareWithRaw(
  rounds: number,
  what: string,
  reader: Reader<ContextAnyEvent>,
  { events, chunks }: Input,
  budget?: Budget,
): Promise<Row> {
  deepStrictEqual(await readAll(reader, chunks), events)
  deepStrictEqual(await readAll(readRaw, chunks), events)
  const { ours, raw } = await race(rounds, { ours: summing(reader, chunks), raw: summing(readRaw, chunks) })
  return ratioRow(what, ours, raw, events.length, budget)
}

/** However the message is cut, reading it must stay linear: no line is joined again and again. */
async function bigMessage(rounds: number, words: number): Promise<Row[]> {
  const event: ContextAnyEvent = {
    kind: 'file-write',
    contextId: 'ctx_1',
    taskId: 'task_1',
    timestamp: '2026-03-14T09:26:53.589Z',
    artifactId: 'report',
    data: wordsFrom(3)(words),
    index: 0,
    complete: true,
  }
  const json = JSON.stringify(event)
  const packets = chunksOf(sseOf([event]), 1460)
  deepStrictEqual(await readAll(readOurs, packets), [event])
  const { ours, parse } = await race(Math.ceil(rounds / 2), {
    ours: summing(readOurs, packets),
    parse: () => Object.keys(JSON.parse(json)).length,
  })
  const what = 'one message of 8 MB in 1460-byte chunks, against its `JSON.parse`'
  return [ratioRow(what, ours, parse, 1, atMost(3))]
}
