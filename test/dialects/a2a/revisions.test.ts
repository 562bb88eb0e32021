// Texts that are replaced, retracted and streamed at the same time: there and back, and at the SDKs.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { A2aVersion } from '../../../src/dialects/a2a/wire/version.ts'
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { errorsOf } from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'
import { outcomeOf } from './outcome.ts'
import { type Sdk, sdkV1, sdkV03 } from './revision-peers.ts'
import { closeTexts, runFromA2a, runToA2a, versions } from './support.ts'

const ids = { taskId: 't', contextId: 'c' }

/** The final texts of a stream, by `contentId`. */
const textsOf = (events: readonly ContextAnyEvent[]): unknown =>
  (outcomeOf(events) as { texts: unknown }).texts

/** A step of an agent that writes two texts at the same time. */
const step = fc.record({
  id: fc.constantFrom(undefined, 'a', 'b'),
  act: fc.constantFrom('add' as const, 'add' as const, 'replace' as const, 'complete' as const),
  text: fc.constantFrom('x', 'yz', '\n', '👍', ''),
})

/** Streams of texts that are added to, replaced and completed in turns. */
const streams = fc.array(step, { maxLength: 12 }).map((steps) => {
  const out: ContextAnyEvent[] = []
  const emit = (kind: string, fields: object = {}): void => {
    out.push({
      kind,
      ...ids,
      ...fields,
      timestamp: new Date(1000 * out.length).toISOString(),
    } as ContextAnyEvent)
  }
  emit('task-created', { initiator: 'user' })
  const texts = new Map<string | undefined, { text: string; index: number; isOpen: boolean }>()
  const complete = (id: string | undefined): void => {
    const known = texts.get(id)
    if (known?.isOpen !== true) return
    emit('content-complete', { ...contentId(id), content: known.text })
    known.isOpen = false
  }
  for (const { id, act, text } of steps) {
    const known = texts.get(id)
    if (act === 'complete') complete(id)
    else if (act === 'replace' && known !== undefined) {
      emit('content-replace', { ...contentId(id), content: text })
      texts.set(id, { text, index: 1, isOpen: true })
    } else if (act === 'add') {
      const { text: before, index } = known?.isOpen === true ? known : { text: '', index: 0 }
      emit('content-delta', { ...contentId(id), delta: text, index })
      texts.set(id, { text: before + text, index: index + 1, isOpen: true })
    }
  }
  for (const id of texts.keys()) complete(id)
  emit('task-status', { status: 'completed' })
  return out
})

const contentId = (id: string | undefined): object => (id === undefined ? {} : { contentId: id })

describe.each(versions)('texts that are revised and streamed at the same time, A2A %s', (version) => {
  it('are the same there and back', () => {
    fc.assert(
      fc.property(streams, fc.constantFrom(...closeTexts), (events, closeText) => {
        expect(errorsOf(events)).toEqual([])
        const { out } = runFromA2a(runToA2a(events, { version, closeText }).out)
        expect(errorsOf(out)).toEqual([])
        expect(joined(textsOf(out))).toEqual(joined(textsOf(events)))
        // A complete text that is replaced by itself is none that A2A shows.
        if (events.every(({ kind }) => kind !== 'content-replace')) {
          expect(completeTexts(out)).toEqual(completeTexts(events))
        }
      }),
      { numRuns: runs(500) },
    )
  })
})

/** The texts as they were completed: none in two. */
const completeTexts = (events: readonly ContextAnyEvent[]): string[] =>
  events.flatMap((event) => (event.kind === 'content-complete' && event.content ? [event.content] : []))

/** The texts by `contentId`: the artifacts of its segments have ids of their own. */
function joined(texts: unknown): unknown {
  const all = new Map<string, string>()
  for (const [id, text] of texts as [string, string][]) {
    const base = id.replace(/^t:content/, '').replace(/#\d+$/, '')
    all.set(base, (all.get(base) ?? '') + text)
  }
  return Object.fromEntries(all)
}

describe.each(['a', 't:content', 't:content#2'])('the text of artifact %s', (artifactId) => {
  const update = (parts: readonly object[], lastChunk: boolean): object => {
    return { kind: 'artifact-update', ...ids, append: false, lastChunk, artifact: { artifactId, parts } }
  }
  const part = { kind: 'text', text: 'Hello' }
  const end = { kind: 'status-update', ...ids, final: true, status: { state: 'completed' } }
  const task = { kind: 'task', id: 't', contextId: 'c', status: { state: 'working' } }

  it.each([
    ['without parts', update([], false)],
    ['without parts, as the last', update([], true)],
    ['with an empty part', update([{ kind: 'text', text: '' }], false)],
    ['without parts, with its task', { ...task, artifacts: [{ artifactId, parts: [] }] }],
  ])('is retracted by an artifact %s', (_, retraction) => {
    for (const isComplete of [false, true]) {
      const { out, diagnostics } = runFromA2a([update([part], isComplete), retraction, end])
      expect(out).toContainEqual(expect.objectContaining({ kind: 'content-replace', content: '' }))
      expect(textsOf(out)).toEqual([])
      expect(errorsOf(out)).toEqual([])
      expect(diagnostics.filter(({ code }) => code.startsWith('lossy:'))).toEqual([])
    }
  })
})

/** What an agent of an SDK does to the text of one of two artifacts: adds to it, or sends the whole of it again. */
const acts = fc.array(
  fc.record({
    artifactId: fc.constantFrom('a', 'b'),
    append: fc.boolean(),
    text: fc.constantFrom('x', 'yz', 'xy', '👍', ''),
  }),
  { maxLength: 10 },
)

const sdks: readonly [A2aVersion, Sdk][] = [
  ['0.3', sdkV03],
  ['1.0', sdkV1],
]

describe.each(sdks)('with the SDK for JavaScript, A2A %s', (version, { read, serve }) => {
  it('its client and store have the final texts', async () => {
    await fc.assert(
      fc.asyncProperty(streams, fc.constantFrom(...closeTexts), async (events, closeText) => {
        const { out } = runToA2a(events, { version, closeText })
        expect(joined(await read(out))).toEqual(joined(textsOf(events)))
      }),
      { numRuns: runs(60) },
    )
  })

  it('what its agent sends again replaces the text', async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (updates) => {
        const { items, texts } = await serve(updates)
        const { out } = runFromA2a(items)
        expect(errorsOf(out)).toEqual([])
        expect(textsOf(out)).toEqual(texts)
      }),
      { numRuns: runs(60) },
    )
  })
})

it('a text that its last chunk replaces is complete', () => {
  const chunk = (text: string, lastChunk: boolean) => ({
    artifactUpdate: { ...ids, artifact: { artifactId: 'a', parts: [{ text }] }, append: false, lastChunk },
  })
  const task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } }
  const { out } = runFromA2a([{ task }, chunk('x', false), chunk('y', true)])
  expect(out.slice(2)).toMatchObject([
    { kind: 'content-delta', delta: 'x' },
    { kind: 'content-replace', content: 'y' },
    { kind: 'content-complete', content: 'y' },
  ])
})
