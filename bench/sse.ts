/** Reading: bytes to validated events, and one message that comes in very many chunks. */
import { deepStrictEqual } from 'node:assert'
import type { ContextAnyEvent } from '../src/index.ts'
import { chunksOf, EVENTS, makeEvents, type Script, sseOf, wordsFrom } from './data.ts'
import { ms, nsPer, type Row, race, ratio } from './harness.ts'
import { readAll, readOurs, readRaw, summing } from './readers.ts'

const TEXTS: Readonly<Record<Script, string>> = { ascii: 'ASCII', mixed: 'with multi-byte characters' }
const CHUNK_SIZES = [1460, 16_384]

export async function bench(rounds: number): Promise<Row[]> {
  return [
    await smallEvents(rounds, 'ascii'),
    await smallEvents(rounds, 'mixed'),
    ...(await bigMessage(rounds, 'one string', bigFile())),
    ...(await bigMessage(rounds, 'rows', bigDataset())),
  ]
}

async function smallEvents(rounds: number, script: Script): Promise<Row> {
  const events = makeEvents(EVENTS, script)
  const chunks = chunksOf(sseOf(events), 16_384)
  for (const reader of [readOurs, readRaw]) deepStrictEqual(await readAll(reader, chunks), events)

  const times = await race(rounds, { ours: summing(readOurs, chunks), raw: summing(readRaw, chunks) })
  const result = ratio(times.ours, times.raw)
  return {
    what: `bytes → validated events, 16 KiB chunks, ${TEXTS[script]}`,
    measured: `${nsPer('event', times.ours, EVENTS)}; raw limit ${nsPer('event', times.raw, EVENTS)}`,
    ratio: { ...result, against: 'raw limit' },
    budget: { figure: result.typical, bound: 'at most', limit: 1.15, unit: 'x' },
  }
}

async function bigMessage(rounds: number, name: string, event: ContextAnyEvent): Promise<Row[]> {
  const json = JSON.stringify(event)
  const size = (json.length / 1e6).toFixed(1)
  const streams = CHUNK_SIZES.map((bytes) => ({ bytes, chunks: chunksOf(sseOf([event]), bytes) }))
  for (const { chunks } of streams) deepStrictEqual(await readAll(readOurs, chunks), [event])

  const times = await race(rounds, {
    parse: () => Object.keys(JSON.parse(json)).length,
    ...Object.fromEntries(streams.map(({ bytes, chunks }) => [`${bytes}`, summing(readOurs, chunks)])),
  })
  return CHUNK_SIZES.map((bytes) => {
    const time = times[`${bytes}` as 'parse']
    const result = ratio(time, times.parse)
    return {
      what: `one message of ${size} MB (${name}), chunks of ${bytes} bytes`,
      measured: `${ms(time)}; JSON.parse ${ms(times.parse)}`,
      ratio: { ...result, against: 'its JSON.parse' },
      budget: { figure: result.typical, bound: 'at most', limit: 3, unit: 'x' },
    }
  })
}

const context = { contextId: 'ctx_1', taskId: 'task_1', timestamp: '2026-03-14T09:26:53.589Z' }

function bigFile(): ContextAnyEvent {
  const data = wordsFrom(3)(1_500_000)
  return { kind: 'file-write', artifactId: 'report', data, index: 0, complete: true, ...context }
}

function bigDataset(): ContextAnyEvent {
  const words = wordsFrom(4)
  const rows = Array.from({ length: 80_000 }, (_, id) => ({
    id,
    title: words(10),
    score: id / 7,
    open: true,
  }))
  return { kind: 'dataset-write', artifactId: 'table', rows, index: 0, complete: true, ...context }
}
