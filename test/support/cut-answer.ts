/** An answer that is written while the connections of its reader are cut, and its server is replaced. */
import { setTimeout as pause } from 'node:timers/promises'
import { createEmitter, type EventDraft } from 'turnstream'
import { createStream, type Stream } from 'turnstream/streams'
import { cuttingProxy } from '../all/live/cutting-proxy.ts'

/** A server of streams that runs. */
export interface Served {
  readonly url: string
  close(): Promise<unknown>
}

/** Starts a server on a free port. */
export type Serve = (find: (id: string) => Stream | undefined) => Promise<Served>

export interface CutAnswer {
  /** The server, behind connections of which three or more are cut; at the second cut, the server is replaced. */
  readonly url: string
  /** The text, once it is complete. */
  readonly text: Promise<string>
  readonly cuts: number
  /** The `Last-Event-ID` of each connection. */
  readonly lastEventIds: readonly (string | undefined)[]
  close(): Promise<void>
}

/** The path of the stream. */
export const STREAM_PATH = '/streams/answer'

/** In the data of which message each connection is cut. More than needed: a client may leave a connection by itself. */
const CUT_IN = [6, 4, 5, 5, 5]
/** How many connections are cut at least. */
const CUTS = 3
const REPLACED_AT = 2
/** Milliseconds between two events. */
const PAUSE = 4
/** After how many events it is an error that the connections are not cut: nobody reads. */
const MAX_EVENTS = 2000

export async function startCutAnswer(serve: Serve): Promise<CutAnswer> {
  const { emit } = createEmitter({ contextId: 'ctx-1', taskId: 'task-1', now: () => '2026-05-01T08:00:00Z' })
  const stored: ReturnType<typeof emit>[] = []
  let epoch = 0
  let isClosed = false
  let stream = createStream({ stream: 'answer', epoch: `e${epoch}` })
  const find = (id: string): Stream | undefined => (id === 'answer' ? stream : undefined)
  let server = await serve(find)
  /** Set while the server is being replaced: a process that starts loads the events that were stored. */
  let replacing: Promise<void> | undefined

  async function replace(): Promise<void> {
    await server.close()
    const next = createStream({ stream: 'answer', epoch: `e${++epoch}` })
    for (const event of stored) await next.append(event)
    stream = next
    server = await serve(find)
  }
  const proxy = await cuttingProxy({
    target: server.url,
    path: STREAM_PATH,
    cutIn: CUT_IN,
    async onCut() {
      if (proxy.cuts !== REPLACED_AT) return undefined
      replacing = replace()
      await replacing
      return server.url
    },
  })

  async function append(draft: EventDraft): Promise<void> {
    await replacing
    const event = emit(draft)
    stored.push(event)
    await stream.append(event)
  }

  async function answer(): Promise<string> {
    let text = ''
    await append({ kind: 'task-created', initiator: 'user' })
    await append({ kind: 'thought-stream', thoughtType: 'planning', verbosity: 'brief', content: 'Count' })
    for (let n = 0, rest = 10; rest > 0; n++) {
      const delta = `№${n} 🎉 `
      text += delta
      await append({ kind: 'content-delta', delta })
      await pause(PAUSE)
      if (proxy.cuts >= CUTS) rest--
      else if (isClosed || n === MAX_EVENTS)
        throw new Error(`Expected ${CUTS} cut connections, got ${proxy.cuts}.`)
    }
    await append({ kind: 'content-complete', content: text })
    await append({ kind: 'task-complete', content: text })
    await stream.close()
    return text
  }

  const text = answer()
  // Nobody waits for it if something else fails first.
  text.catch(() => {})
  return {
    url: proxy.url.replace(/\/$/, ''),
    text,
    get cuts() {
      return proxy.cuts
    },
    lastEventIds: proxy.lastEventIds,
    async close() {
      isClosed = true
      proxy.close()
      await server.close()
    },
  }
}
