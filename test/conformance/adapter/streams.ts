/** What reading and serving streams needs: SSE, the messages of a log, merging, audiences, patterns. */
import { pipe, run } from '../../../src/core/machine.ts'
import { sseDecoder } from '../../../src/sse/index.ts'
import {
  audienceOf,
  batchDecoder,
  compact,
  formatEventId,
  parseEventId,
  parsePattern,
  project,
  type Received,
  receiver,
  respondersOf,
  type Viewer,
} from '../../../src/streams/index.ts'
import { createPatternTrie } from '../../../src/streams/routing/pattern-trie.ts'
import { type Handlers, pick } from './support.ts'

export const streams: Handlers = {
  sse({ text, base64 }) {
    const decoder = run(sseDecoder())
    const messages = [...decoder.push(text ?? Buffer.from(base64, 'base64')), ...decoder.end()]
    return { messages, ...pick(decoder.state, ['lastEventId', 'retry']) }
  },

  wire: ({ connections, lastEventId }) =>
    readConnections(
      connections.map((body: string) => [body]),
      lastEventId,
    ),

  compact: ({ events }) => ({ events: compact(events) }),

  project: ({ event, viewers }) =>
    (viewers as Viewer[]).map((viewer) => {
      const visible = project(event, viewer)
      return visible === undefined ? { hidden: true } : { event: visible }
    }),

  route({ event, tree, forwardNothing = false }) {
    const options = forwardNothing ? { forward: () => false } : {}
    return { audience: audienceOf(event, tree, options), responders: respondersOf(event) }
  },

  pattern({ pattern, topics }) {
    const parsed = parsePattern(pattern)
    if (parsed === undefined) return { valid: false }
    const trie = createPatternTrie<string>()
    trie.add(parsed, pattern)
    return { valid: true, matches: topics.map((topic: string[]) => trie.find(topic).length > 0) }
  },
}

/** What a client gets from connections, each of which gives its body in pieces. */
export function readConnections(
  connections: readonly (readonly (string | Uint8Array)[])[],
  lastEventId?: string,
): object {
  const received: object[] = []
  const diagnostics: string[] = []
  let cursor = lastEventId === undefined ? undefined : parseEventId(lastEventId)
  for (const pieces of connections) {
    const start = cursor === undefined ? {} : { cursor }
    const client = run(pipe(batchDecoder(start), receiver(start)), {
      onDiagnostic: ({ code }) => diagnostics.push(code),
    })
    const items = [...pieces.flatMap((piece) => [...client.push(piece)]), ...client.end()]
    const given = items.flatMap(plain)
    received.push(...given.filter((item, i) => !('gap' in item && 'gap' in (given[i - 1] ?? {}))))
    cursor = client.state[1].cursor
  }
  return {
    received,
    diagnostics,
    lastEventId: cursor === undefined ? '' : formatEventId(cursor),
  }
}

/** What a client gets, apart from how it is divided into batches. */
function plain(item: Received): object[] {
  switch (item.type) {
    case 'events':
      return [
        ...(item.loss === undefined ? [] : [{ loss: item.loss }]),
        ...item.events.map((event) => ({ event })),
      ]
    case 'reset':
      return [{ reset: pick(item, ['reason', 'events', 'forgotten']) }]
    case 'gap':
      return [{ gap: true }]
    case 'closed':
      return [{ closed: true }]
    case 'duplicate':
      return []
  }
}
