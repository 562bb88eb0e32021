// Tests that texts with different ids do not affect each other.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContextAnyEvent, EventOf } from '../../../../src/index.ts'
import { closeDangling, compact, type PartView } from '../../../../src/streams/index.ts'
import type { TextPart } from '../../../../src/streams/view/parts.ts'
import { legalStreams } from '../../../support/legal-streams.ts'
import { runs } from '../../../support/runs.ts'
import { errorsIn, fold } from '../../verify/support.ts'
import { events } from '../support.ts'

const ids = [undefined, 'text-1', 'text-2'] as const

function isContent(
  event: ContextAnyEvent,
): event is ContextAnyEvent & EventOf<'content-delta' | 'content-complete'> {
  return event.kind === 'content-delta' || event.kind === 'content-complete'
}

/** A text, joined from its parts. */
type WholeText = Omit<TextPart, 'type' | 'segment'>

/** The texts of a list of parts, each joined from its parts. */
function joined(parts: readonly PartView[]): WholeText[] {
  const texts = new Map<number, WholeText>()
  for (const part of parts) {
    if (part.type !== 'text') continue
    const { type: _, segment, ...fields } = part
    const before = texts.get(segment)
    const gap = before?.hasGap === true ? ({ hasGap: true } as const) : {}
    texts.set(
      segment,
      before === undefined ? fields : { ...fields, ...gap, at: before.at, text: before.text + part.text },
    )
  }
  return [...texts.values()]
}

/** The texts with an id, by task. */
function textsOf(events: readonly ContextAnyEvent[], id: string | undefined): Record<string, WholeText[]> {
  const entries = fold(events).tasks.map(({ taskId, parts }) => {
    return [taskId, joined(parts).filter(({ contentId }) => contentId === id)] as const
  })
  return Object.fromEntries(entries)
}

describe('texts with different ids', () => {
  it('each fold as if there were no others', () => {
    fc.assert(
      fc.property(legalStreams({ ended: false, maxChoices: 80 }), fc.constantFrom(...ids), (events, id) => {
        const alone = events.filter((event) => !isContent(event) || event.contentId === id)
        expect(textsOf(events, id)).toEqual(textsOf(alone, id))
        expect(textsOf(compact(events), id)).toEqual(textsOf(alone, id))
      }),
      { numRuns: runs(300) },
    )
  })

  it('are in the order in which they began', () => {
    fc.assert(
      fc.property(legalStreams({ subtasks: false, maxChoices: 80 }), (events) => {
        const open = new Set<string | undefined>()
        const begun = events.filter(isContent).filter(({ kind, contentId }) => {
          const isNew = !open.has(contentId)
          if (kind === 'content-delta') open.add(contentId)
          else open.delete(contentId)
          return isNew
        })
        const texts = joined(fold(events).tasks[0]?.parts ?? [])
        expect(texts.map(({ contentId, at }) => [contentId, at])).toEqual(
          begun.map(({ contentId, timestamp }) => [contentId, timestamp]),
        )
      }),
      { numRuns: runs(300) },
    )
  })

  it('are all completed by closeDangling', () => {
    fc.assert(
      fc.property(legalStreams({ ended: false, subtasks: false, maxChoices: 80 }), (events) => {
        const closing = closeDangling(fold(events), { reason: 'cut', at: '2026-02-01T00:00:00Z' })
        expect(errorsIn([...events, ...closing])).toEqual([])
        const texts = joined(fold([...events, ...closing]).tasks[0]?.parts ?? [])
        if (closing.length > 0) expect(texts.filter(({ status }) => status !== 'complete')).toEqual([])
      }),
      { numRuns: runs(200) },
    )
  })

  it('keep their usage and sources', () => {
    const base = { contextId: 'ctx', taskId: 'task', timestamp: '2026-01-01T00:00:00Z' }
    const metadata = { usage: [{ inputTokens: 3 }], sources: [{ url: 'https://tides.example' }] }
    const view = fold([
      { kind: 'content-delta', ...base, contentId: 'a', delta: 'Hi', index: 0 },
      { kind: 'content-complete', ...base, contentId: 'a', content: 'Hi', metadata },
    ])
    expect(view.tasks[0]?.parts).toMatchObject([{ contentId: 'a', text: 'Hi', metadata }])
  })
})

describe('the stretches of a text', () => {
  const delta = (text: string, index: number, more: object = {}) => ({
    kind: 'content-delta',
    delta: text,
    index,
    ...more,
  })
  const tool = { kind: 'tool-start', toolCallId: 'c', toolName: 't', arguments: {} }
  const error = { kind: 'task-error', error: { code: 'e', message: 'm', retry: 'retrying' } }
  const operator = { metadata: { audience: ['operator'] } }
  const whole = (content: string, more: object = {}) => ({ kind: 'content-complete', content, ...more })
  /** The texts of the parts, and the types of the others. */
  const shown = (...stream: object[]): unknown => {
    const [task] = fold(events(...stream)).tasks
    return task?.parts.map((part) => (part.type === 'text' ? part.text : part.type))
  }

  const interrupted = [delta('First A.', 0), tool, delta('Then B.', 1), error, delta('C.', 2)]
  const cases: Record<string, { stream: object[]; parts: string[] }> = {
    'are parts in the order in which they were written': {
      stream: interrupted,
      parts: ['First A.', 'tool', 'Then B.', 'error', 'C.'],
    },
    'stay if they join to the content': {
      stream: [...interrupted, whole('First A.Then B.C.')],
      parts: ['First A.', 'tool', 'Then B.', 'error', 'C.'],
    },
    'stay where the content begins and ends with them, with the rest between': {
      stream: [...interrupted, whole('First A.NowC.')],
      parts: ['First A.', 'tool', 'Now', 'error', 'C.'],
    },
    'have the rest in the last one if the content only continues': {
      stream: [...interrupted, whole('First A.Then B.C.D.')],
      parts: ['First A.', 'tool', 'Then B.', 'error', 'C.D.'],
    },
    'stay at the end of the content, however many': {
      stream: [...interrupted, error, delta('D.', 3), whole('First A.NowC.D.')],
      parts: ['First A.', 'tool', 'Now', 'error', 'C.', 'error', 'D.'],
    },
    'have no part of the content twice': {
      stream: [delta('a', 0), tool, delta('a', 1), error, delta('a', 2), whole('a')],
      parts: ['a', 'tool', '', 'error', ''],
    },
    'have nothing of a content without them but in the first one': {
      stream: [...interrupted, whole('Other')],
      parts: ['Other', 'tool', '', 'error', ''],
    },
    'are divided by another text': {
      stream: [
        delta('a', 0),
        delta('x', 0, { contentId: 'other' }),
        delta('b', 1),
        delta('y', 1, { contentId: 'other' }),
      ],
      parts: ['a', 'x', 'b', 'y'],
    },
    'are divided by another audience': {
      stream: [delta('a', 0), delta('b', 1, operator), delta('c', 2, operator), delta('d', 3)],
      parts: ['a', 'bc', 'd'],
    },
  }

  it.each(Object.entries(cases))('%s', (_, { stream, parts }) => {
    expect(shown(...stream)).toEqual(parts)
  })

  it('state the position of the first one, and the index that follows each', () => {
    const [task] = fold(events(tool, ...interrupted.filter((event) => event !== tool))).tasks
    expect(task?.parts.filter(({ type }) => type === 'text')).toMatchObject([
      { segment: 1, text: 'First A.Then B.', nextIndex: 2 },
      { segment: 1, text: 'C.', nextIndex: 3 },
    ])
  })

  it('have the finish reason and metadata in the last one, without the label', () => {
    const end = { finishReason: 'stop', metadata: { usage: [], audience: ['operator', 'user'] } }
    const [task] = fold(events(delta('a', 0), tool, delta('b', 1, operator), whole('ab', end))).tasks
    const base = { type: 'text', at: '2026-01-01T00:00:00Z', status: 'complete', segment: 0 }
    expect(task?.parts.filter(({ type }) => type === 'text')).toEqual([
      { ...base, audience: ['user', 'operator'], text: 'a' },
      { ...base, audience: ['operator'], text: 'b', finishReason: 'stop', metadata: { usage: [] } },
    ])
  })
})
