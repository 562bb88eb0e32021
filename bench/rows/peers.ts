/** Other packages at the same job, bytes to events: each in its own vocabulary, one event for one event. */
import { deepStrictEqual } from 'node:assert'
import { createParser } from 'eventsource-parser'
import { readAgUi, toAgUi } from '../peers/ag-ui.ts'
import { readAi, toAi } from '../peers/ai.ts'
import { parseWithAjv } from '../peers/ajv.ts'
import { parseWithValibot } from '../peers/valibot.ts'
import { parseWithZod } from '../peers/zod.ts'
import { chunksOf, dataOnlySse, makeEvents, sseOf } from '../support/data.ts'
import { race, ratio } from '../support/race.ts'
import { type Reader, readAll, readOurs, readRaw, summing } from '../support/readers.ts'
import { atLeast, type Effort, nsEach, type Row, timeText } from '../support/row.ts'

const COUNT = 10_000
const BLOCK = 16_384

export async function bench({ rounds, scale }: Effort): Promise<Row[]> {
  const events = makeEvents(Math.ceil(COUNT * scale), 'ascii')
  const bytes = chunksOf(sseOf(events), BLOCK)
  const inTheirs = (map: (event: (typeof events)[number]) => object): Input => {
    const values = events.map(map)
    return { values, chunks: chunksOf(dataOnlySse(values), BLOCK) }
  }
  const ours: Input = { values: events, chunks: bytes }
  const contenders = {
    ours: await checked(readOurs, ours),
    dataOnly: await checked(readOurs, { values: events, chunks: chunksOf(dataOnlySse(events), BLOCK) }),
    raw: await checked(readRaw, ours),
    parser: await checked(parsing(JSON.parse), ours),
    agUi: await checked(readAgUi, inTheirs(toAgUi)),
    ai: await checked(readAi, inTheirs(toAi)),
    ajv: await checked(
      parsing((data) => parseWithAjv(JSON.parse(data))),
      ours,
    ),
    zod: await checked(
      parsing((data) => parseWithZod(JSON.parse(data))),
      ours,
    ),
    valibot: await checked(
      parsing((data) => parseWithValibot(JSON.parse(data))),
      ours,
    ),
  }
  const times = await race(rounds, contenders)
  const rowOf = (peer: keyof typeof times, what: string, least?: number): Row => ({
    what,
    figure: ratio(times[peer], times.ours),
    unit: '×',
    ...(least !== undefined && { budget: atLeast(least) }),
    detail: `${timeText(nsEach(times[peer], events.length))}, ${ratio(times[peer], times.raw).toFixed(2)} × raw`,
  })
  return [
    rowOf('ours', 'turnstream `eventDecoder`'),
    rowOf('dataOnly', 'the same, only `data` lines, as AG-UI and the AI SDK write them'),
    rowOf('parser', '`eventsource-parser` and `JSON.parse`, nothing validated', 1),
    rowOf('agUi', '`@ag-ui/client` `transformHttpEventStream`', 1.5),
    rowOf('ai', '`ai` `parseJsonEventStream` with `uiMessageChunkSchema`', 8),
    rowOf('ajv', '`eventsource-parser`, `JSON.parse` and ajv standalone, 8 kinds'),
    rowOf('zod', '`eventsource-parser`, `JSON.parse` and zod, 8 kinds'),
    rowOf('valibot', '`eventsource-parser`, `JSON.parse` and valibot, 8 kinds'),
  ]
}

interface Input {
  readonly values: readonly object[]
  readonly chunks: readonly Uint8Array[]
}

/** A contender, after a check that it reads what was written. */
async function checked<T extends object>(
  reader: Reader<T>,
  { values, chunks }: Input,
): Promise<() => Promise<number>> {
  deepStrictEqual(await readAll(reader, chunks), values)
  return summing(reader, chunks)
}

/** A reader of `eventsource-parser` messages. */
function parsing(decode: (data: string) => object): Reader<object> {
  return (chunks, take) => {
    const decoder = new TextDecoder()
    const parser = createParser({ onEvent: ({ data }) => take(decode(data)) })
    for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }))
  }
}
