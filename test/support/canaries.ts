/** Streams with secrets in every place that is hidden from clients. */
import fc from 'fast-check'
import type { ContextAnyEvent } from 'turnstream'

/** In every secret, and in nothing else: generated texts are not as long. */
export const SECRET = 'canary-7f3a-not-for-clients'

export type Fields = Record<string, unknown>

/** Puts a secret into an event, of which an audience sees nothing. Returns `undefined` if the event has no such place. */
type Hiding = (event: Fields) => Fields | undefined

const secretIn = (event: Fields, name: string, more: Fields): Fields | undefined => {
  const inner = event[name]
  return typeof inner === 'object' && inner !== null ? { ...event, [name]: { ...inner, ...more } } : undefined
}

const metadataOf = (event: Fields): Fields => (event.metadata ?? {}) as Fields

export const hidings: Readonly<Record<string, Hiding>> = {
  'a field that is not declared': (event) => ({ ...event, stack: SECRET }),
  'an object that is not declared': (event) => ({ ...event, debug: { at: [SECRET] } }),
  'a name that is not declared': (event) => ({ ...event, [SECRET]: 1 }),
  'a key of metadata': (event) => ({ ...event, metadata: { ...metadataOf(event), rating: SECRET } }),
  'a name in metadata': (event) => ({ ...event, metadata: { ...metadataOf(event), [SECRET]: 1 } }),
  'a field of an error': (event) => secretIn(event, 'error', { stack: SECRET }),
  'the details of an error': (event) => secretIn(event, 'error', { details: { quoted: SECRET } }),
  'a field of a change': (event) => secretIn(event, 'change', { note: SECRET }),
  'the usage of a model': (event) =>
    event.kind === 'content-complete' || event.kind === 'task-complete'
      ? { ...event, metadata: { ...metadataOf(event), usage: [{ inputTokens: 1, account: SECRET }] } }
      : undefined,
  'a signature': (event) =>
    event.kind === 'tool-start' || event.kind === 'thought-stream'
      ? { ...event, metadata: { ...metadataOf(event), signature: SECRET } }
      : undefined,
  'alternatives of a thought': (event) =>
    event.kind === 'thought-stream'
      ? { ...event, metadata: { ...metadataOf(event), alternatives: [SECRET] } }
      : undefined,
}

/** Events for operators, with a secret in what clients see of others. */
const inserted: Readonly<Record<string, (place: Fields) => Fields>> = {
  'an internal event': (place) => ({
    ...place,
    kind: 'internal:llm-call',
    iteration: 0,
    model: SECRET,
    messageCount: 1,
    toolCount: 0,
  }),
  'an unknown kind': (place) => ({ ...place, kind: 'x-later', text: SECRET }),
  'a labelled file': (place) => ({
    ...{
      ...place,
      kind: 'file-write',
      artifactId: SECRET,
      data: SECRET,
      index: 0,
      complete: true,
      name: SECRET,
    },
    metadata: { audience: ['operator'] },
  }),
  'a detailed thought': (place) => ({
    ...{
      ...place,
      kind: 'thought-stream',
      thoughtId: SECRET,
      thoughtType: 'planning',
      verbosity: 'detailed',
    },
    ...{ content: SECRET, index: 1000 },
  }),
}

interface Secrets {
  readonly hidings: readonly (readonly [at: number, name: string])[]
  readonly insertions: readonly (readonly [at: number, name: string])[]
}

export const secrets: fc.Arbitrary<Secrets> = fc.record({
  hidings: fc.array(fc.tuple(fc.nat(60), fc.constantFrom(...Object.keys(hidings))), {
    minLength: 1,
    maxLength: 20,
  }),
  insertions: fc.array(fc.tuple(fc.nat(60), fc.constantFrom(...Object.keys(inserted))), { maxLength: 6 }),
})

export function withSecrets(
  events: readonly ContextAnyEvent[],
  { hidings: places, insertions }: Secrets,
): ContextAnyEvent[] {
  const list: Fields[] = events.map((event) => ({ ...event }))
  for (const [at, name] of places) {
    const i = at % list.length
    list[i] = hidings[name]?.(list[i] as Fields) ?? (list[i] as Fields)
  }
  for (const [at, name] of insertions) {
    const i = at % list.length
    const { contextId, taskId, timestamp } = list[i] as Fields
    list.splice(i, 0, inserted[name]?.({ contextId, taskId, timestamp }) ?? {})
  }
  return list as unknown as ContextAnyEvent[]
}

/** A stream whose calls have a secret argument, wherever their arguments are repeated. */
export function withSecretArgument(events: readonly ContextAnyEvent[]): ContextAnyEvent[] {
  return events.map((event) => {
    const { kind } = event
    if (kind === 'tool-start') {
      const metadata = { ...event.metadata, toolArgs: JSON.stringify({ pin: SECRET }) }
      return { ...event, arguments: { ...event.arguments, pin: SECRET }, metadata }
    }
    if (kind === 'tool-arguments-delta') return { ...event, delta: `${event.delta}${SECRET}` }
    if (kind !== 'input-required') return event
    const toolCall = { id: 'k', function: { name: 'pay', arguments: JSON.stringify({ pin: SECRET, n: 1 }) } }
    return { ...event, metadata: { ...event.metadata, toolCall } }
  })
}
