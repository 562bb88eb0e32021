/** Reading: bytes to validated events, and one message that comes in very many chunks. */
import { deepStrictEqual } from 'node:assert'
import type { ContextAnyEvent } from '../src/index.ts'
import { chunksOf, EVENTS, makeEvents, type Script, sseOf, wordsFrom } from './data.ts'
import { ms, nsPer, type Row, race, ratio, type Timing } from './harness.ts'
import { readAll, readOurs, readRaw, readUnvalidated, summing } from './readers.ts'

const TEXTS: Readonly<Record<Script, string>> = { ascii: 'ASCII', mixed: 'with multi-byte characters' }

export async function bench(rounds: number): Promise<Row[]> {
  return [
    ...(await smallEvents(rounds, 'ascii')),
    ...(await smallEvents(rounds, 'mixed')),
    ...(await bigMessage(rounds, 'one string', bigFile())),
    ...(await bigMessage(rounds, 'rows', bigDataset())),
  ]
}

async function smallEvents(rounds: number, script: Script): Promise<Row[]> {
  const events = makeEvents(EVENTS, script)
  const chunks = chunksOf(sseOf(events), 16_384)
  for (const reader of [readOurs, readUnvalidated, readRaw]) {
    deepStrictEqual(await readAll(reader, chunks), events)
  }
  const times = await race(rounds, {
    ours: summing(readOurs, chunks),
    unvalidated: summing(readUnvalidated, chunks),
    raw: summing(readRaw, chunks),
  })
  const whole = ratio(times.ours, times.raw)
  return [
    {
      what: `bytes → validated events, 16 KiB chunks, ${TEXTS[script]}`,
      measured: `${nsPer('event', times.ours, EVENTS)}; raw limit ${nsPer('event', times.raw, EVENTS)}`,
      ratio: { ...whole, against: 'raw limit' },
      budget: { figure: whole.typical, bound: 'at most', limit: 1.15, unit: 'x' },
    },
    {
      what: 'the same by `sseDecoder` and `JSON.parse`, nothing validated',
      measured: nsPer('event', times.unvalidated, EVENTS),
      ratio: { ...ratio(times.unvalidated, times.raw), against: 'raw limit' },
    },
  ]
}

/** However the message is cut, reading it must stay linear: no line is put together again and again. */
async function bigMessage(rounds: number, name: string, event: ContextAnyEvent): Promise<Row[]> {
  const json = JSON.stringify(event)
  const packets = chunksOf(sseOf([event]), 1460)
  const blocks = chunksOf(sseOf([event]), 16_384)
  for (const chunks of [packets, blocks]) deepStrictEqual(await readAll(readOurs, chunks), [event])

  const times = await race(rounds, {
    packets: summing(readOurs, packets),
    blocks: summing(readOurs, blocks),
    parse: () => Object.keys(JSON.parse(json)).length,
  })
  const rowOf = (time: Timing, chunks: string): Row => {
    const whole = ratio(time, times.parse)
    return {
      what: `one message of ${(json.length / 1e6).toFixed(1)} MB (${name}), ${chunks} chunks`,
      measured: `${ms(time)}; JSON.parse ${ms(times.parse)}`,
      ratio: { ...whole, against: 'its JSON.parse' },
      budget: { figure: whole.typical, bound: 'at most', limit: 3, unit: 'x' },
    }
  }
  return [rowOf(times.packets, '1460-byte'), rowOf(times.blocks, '16 KiB')]
}

const context = { contextId: 'ctx_1', taskId: 'task_1', timestamp: '2026-03-14T09:26:53.589Z' }

function bigFile(): ContextAnyEvent {
  const data = wordsFrom(3)(1_650_000)
  return { kind: 'file-write', artifactId: 'report', data, index: 0, complete: true, ...context }
}

function bigDataset(): ContextAnyEvent {
  const words = wordsFrom(4)
  const rows = Array.from({ length: 74_000 }, (_, id) => ({
    id,
    title: words(10),
    score: id / 7,
    open: true,
  }))
  return { kind: 'dataset-write', artifactId: 'table', rows, index: 0, complete: true, ...context }
}
