/** Bytes to validated events, and one message that comes in very many chunks. */
import { deepStrictEqual } from 'node:assert'
import type { ContextAnyEvent } from 'turnstream'
import {
  chunksOf,
  dataOnlySse,
  makeEvents,
  makeParallelEvents,
  type Script,
  sseOf,
  wordsFrom,
} from '../support/data.ts'
import { race } from '../support/race.ts'
import {
  type Reader,
  readAll,
  readFromStream,
  readOneByOne,
  readOurs,
  readParsed,
  readParsedFromStream,
  readRaw,
  readUnvalidated,
  summing,
} from '../support/readers.ts'
import { atMost, type Budget, type Effort, type LimitByNode, type Row, ratioRow } from '../support/row.ts'

const COUNT = 30_000
const BLOCK = 16_384
const ascii: LimitByNode = { 20: 1.15, 24: 1.35 }
const parsed = '`eventsource-parser` and `JSON.parse`'

export async function bench({ rounds, scale }: Effort): Promise<Row[]> {
  const count = Math.ceil(COUNT * scale)
  const ofScript = (script: Script): Input => {
    const events = makeEvents(count, script)
    return { events, chunks: chunksOf(sseOf(events), BLOCK) }
  }
  const plain = ofScript('ascii')
  const { events } = plain
  const dataOnly = { events, chunks: chunksOf(dataOnlySse(events), BLOCK) }
  const single = singly(events)
  const parallel = makeParallelEvents(count)
  const parallelBlocks = { events: parallel, chunks: chunksOf(sseOf(parallel), BLOCK) }
  const compare = (what: string, reader: Reader<ContextAnyEvent>, input: Input, budget?: Budget) =>
    compareReaders(rounds, what, reader, readRaw, input, budget)
  const compareWithParser = (what: string, input: Input) =>
    compareReaders(rounds, `${what}, against ${parsed}`, readOurs, readParsed, input, atMost(1))
  const compareStreams = (what: string, input: Input) => {
    const against = `${what}, from a \`ReadableStream\`, against an async generator over ${parsed}`
    return compareReaders(rounds, against, readFromStream, readParsedFromStream, input, atMost(0.8))
  }
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
    await compare('`eventDecoder`, three tasks at a time, long ids', readOurs, parallelBlocks, atMost(ascii)),
    await compareWithParser('`eventDecoder`, ASCII', plain),
    await compareWithParser('`eventDecoder`, three tasks at a time, long ids', parallelBlocks),
    await compareStreams('`readEvents`, ASCII, one event a chunk', single),
    await compareStreams('`readEvents`, three tasks at a time, one event a chunk', singly(parallel)),
    await compare('`readEvents`, event by event, ASCII', readOneByOne, plain),
    await compare('`sseDecoder` and `JSON.parse`, nothing validated, ASCII', readUnvalidated, plain),
    ...(await bigMessage(rounds, Math.ceil(1_650_000 * scale))),
  ]
}

interface Input {
  readonly events: readonly ContextAnyEvent[]
  readonly chunks: readonly Uint8Array[]
}

/** Each event in a chunk of its own. */
function singly(events: readonly ContextAnyEvent[]): Input {
  return { events, chunks: events.flatMap((event) => chunksOf(sseOf([event]), 1e6)) }
}

async function compareReaders(
  rounds: number,
  what: string,
  reader: Reader<ContextAnyEvent>,
  other: Reader<ContextAnyEvent>,
  { events, chunks }: Input,
  budget?: Budget,
): Promise<Row> {
  deepStrictEqual(await readAll(reader, chunks), events)
  deepStrictEqual(await readAll(other, chunks), events)
  const { ours, theirs } = await race(rounds, {
    ours: summing(reader, chunks),
    theirs: summing(other, chunks),
  })
  return ratioRow(what, ours, theirs, events.length, budget)
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
