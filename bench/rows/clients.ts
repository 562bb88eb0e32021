/** What streams and clients keep in memory while nothing happens. Each figure comes from a process of its own. */
import { measureInChild } from '../support/child.ts'
import { median } from '../support/race.ts'
import { atMost, type Effort, type Row } from '../support/row.ts'

const STREAMS = 10_000
const CLIENTS = 50
/** As long as the events of a full log with the default limits. */
const EVENT_LENGTH = 830
const DELTA = 'words '.repeat(115)

export async function bench({ scale }: Effort): Promise<Row[]> {
  const streams = Math.ceil(STREAMS * scale)
  const measure = (script: string): number =>
    median([1, 2, 3].map(() => measureInChild(`${used}\n${script}`, ['--expose-gc'])))
  return [
    {
      what: 'an idle stream with a connection: emitter, log, filter, `follow`',
      figure: measure(idle(streams)) / streams / 1024,
      unit: 'KiB',
      budget: atMost(3),
    },
    {
      what: 'the same with `createStream` and `respond`',
      figure: measure(served(streams)) / streams / 1024,
      unit: 'KiB',
    },
    {
      what: '50 clients that never read a log of 8 MB, with `createStream` and `respond`',
      figure: measure(stalled(8e6 * scale)) / 2 ** 20,
      unit: 'MiB',
      budget: atMost(60),
    },
  ]
}

/** Bytes that are in use after a collection. */
const used = `
  import { createEmitter } from 'turnstream'
  import { createMemoryLog, createStream, follow, readFilter } from 'turnstream/streams'
  const filter = readFilter({ audience: 'user' })
  const kept = []
  async function used() {
    for (let i = 0; i < 3; i++) {
      await new Promise((resolve) => setTimeout(resolve, 10))
      gc()
    }
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  async function finish(before) {
    report((await used()) - before)
    if (kept.length === 0) throw new Error('Nothing was kept.')
    process.exit()
  }
  function open(n) {
    const emitter = createEmitter({ contextId: 'ctx-1', taskId: 'task-' + n })
    const log = createMemoryLog({ stream: 'task/' + n, epoch: 'epoch-1', now: Date.now })
    return { emitter, log }
  }`

/** Streams whose connections wait for the first event. */
function idle(streams: number): string {
  return `
    const before = await used()
    for (let n = 0; n < ${streams}; n++) {
      const { emitter, log } = open(n)
      const parts = follow(log, null, { filter })
      await parts.next()
      kept.push(emitter, log, parts, parts.next())
    }
    await finish(before)`
}

/** Streams whose responses wait for the first event. */
function served(streams: number): string {
  return `
    const before = await used()
    for (let n = 0; n < ${streams}; n++) {
      const emitter = createEmitter({ contextId: 'ctx-1', taskId: 'task-' + n })
      const stream = createStream({ stream: 'task/' + n, epoch: 'epoch-1' })
      const reader = stream.respond(null, { viewer: { audience: 'user' } }).body.getReader()
      await reader.read()
      kept.push(emitter, stream, reader, reader.read())
    }
    await finish(before)`
}

/** A stream of this length, and clients that have each read the first page and nothing more. */
function stalled(length: number): string {
  return `
    const emitter = createEmitter({ contextId: 'ctx-1', taskId: 'task-1' })
    const stream = createStream({ stream: 'task/1', epoch: 'epoch-1' })
    for (let size = 0; size < ${length}; size += ${EVENT_LENGTH}) {
      await stream.append(emitter.emit({ kind: 'content-delta', delta: '${DELTA}' }))
    }
    const before = await used()
    let read = 0
    for (let n = 0; n < ${CLIENTS}; n++) {
      const { status, headers, body } = stream.respond(null, { viewer: { audience: 'user' } })
      const response = new Response(body, { status, headers })
      const reader = response.body.getReader()
      read += Number((await reader.read()).value.length > 0)
      kept.push(response, reader)
    }
    await used()
    if (read !== ${CLIENTS}) throw new Error('The log was not read.')
    await finish(before)`
}
