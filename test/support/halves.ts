/** Streams whose texts are cut inside surrogate pairs, and streams with halves of pairs anywhere. */
import fc from 'fast-check'
import type { ContextAnyEvent } from '../../src/events/event.ts'

const EMOJI = '😀'

/** A stream whose text deltas contain pairs, and the same one with each delta cut in two inside a pair. */
export function cutDeltas(
  stream: readonly ContextAnyEvent[],
): fc.Arbitrary<{ events: ContextAnyEvent[]; cut: ContextAnyEvent[] }> {
  return fc.array(fc.boolean(), { minLength: stream.length, maxLength: stream.length }).map((isCut) => {
    const events: ContextAnyEvent[] = []
    const cut: ContextAnyEvent[] = []
    /** The next index by text. */
    const next = new Map<string, number>()
    for (const [i, event] of stream.entries()) {
      if (event.kind !== 'content-delta' && event.kind !== 'thought-delta') {
        events.push(event)
        cut.push(event)
        continue
      }
      const key = `${event.taskId} ${event.kind === 'content-delta' ? event.contentId : event.thoughtId}`
      const index = event.index === 0 ? 0 : (next.get(key) ?? 0)
      next.set(key, index + 2)
      const { indexEnd: _, timestampEnd: __, ...rest } = event
      const text = `${event.delta}${EMOJI}`
      const pair = (at: number): ContextAnyEvent[] => [
        { ...rest, index, delta: text.slice(0, at) },
        { ...rest, index: index + 1, delta: text.slice(at) },
      ]
      events.push(...pair(text.length - EMOJI.length))
      cut.push(...pair(text.length - (isCut[i] === true ? 1 : EMOJI.length)))
    }
    return { events, cut }
  })
}

/** A stream in which some texts, at any depth, have halves of pairs. */
export function withHalves<T>(stream: readonly T[]): fc.Arbitrary<T[]> {
  const half = fc.constantFrom('\ud83d', '\ude00', 'x\ud83d', '\ude00x', EMOJI)
  const isStructure = /^(kind|type|event|timestamp.*|status|state|version|.*[iI]d|.*_id)$/
  return fc.infiniteStream(fc.option(half, { freq: 3, nil: undefined })).map((halves) => {
    const next = (): string => halves.next().value ?? ''
    return JSON.parse(JSON.stringify(stream), (key, value: unknown) =>
      typeof value === 'string' &&
      !isStructure.test(key) &&
      / |^[a-z😀]*$/iu.test(value) &&
      value.length > 0 &&
      isFree(key)
        ? value + next()
        : value,
    ) as T[]
  })
}

/** A stream in which the texts at any depth have a mark in the middle and at the end, but not data, which may be bytes. */
export function withMarks<T>(stream: readonly T[], mark: string): T[] {
  return JSON.parse(JSON.stringify(stream), (key, value: unknown) =>
    typeof value === 'string' && isFree(key) && key !== 'data' && / |^[a-z]+$/i.test(value)
      ? `${value.slice(0, 1)}${mark}${value.slice(1)}${mark}`
      : value,
  ) as T[]
}

/** Fields that may hold any text in events and in the protocols that they map to. */
function isFree(key: string): boolean {
  return /^(delta|content|text|message|prompt|data|output|title|description|summary|error|input|chunk|reason_text)$/.test(
    key,
  )
}
