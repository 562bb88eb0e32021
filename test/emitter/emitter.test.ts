// Proves that the emitter creates valid events, numbers them, and rejects invalid drafts.

import fc from 'fast-check'
import { createEmitter, decodeEvent, type Emitter, type EventDraft } from 'turnstream'
import { describe, expect, it } from 'vitest'
import type { ThoughtDeltaEvent } from '../../src/events/thought.ts'
import { runs } from '../support/runs.ts'

function emitterAt(now: () => Date | number | string = () => 0): Emitter {
  let ids = 0
  return createEmitter({ contextId: 'ctx-1', taskId: 'task-1', now, newId: () => `id-${++ids}` })
}

const thought = { kind: 'thought-stream', thoughtType: 'planning', verbosity: 'brief', content: 'x' } as const

describe('emit', () => {
  it('adds context and timestamp, with the kind first', () => {
    expect(JSON.stringify(emitterAt().emit({ kind: 'task-created', initiator: 'user' }))).toBe(
      '{"kind":"task-created","contextId":"ctx-1","taskId":"task-1","initiator":"user","timestamp":"1970-01-01T00:00:00.000Z"}',
    )
  })

  it.each([
    ['a Date', () => new Date('2026-01-31T10:30:00Z'), '2026-01-31T10:30:00.000Z'],
    ['milliseconds', () => 1, '1970-01-01T00:00:00.001Z'],
    ['text', () => '2026-01-31T10:30:00+02:00', '2026-01-31T10:30:00+02:00'],
  ])('takes the time as %s', (_name, now, timestamp) => {
    expect(emitterAt(now).emit({ kind: 'task-status', status: 'working' }).timestamp).toBe(timestamp)
  })

  it('uses the platform clock and random ids by default', () => {
    const emitter = createEmitter({ contextId: 'c', taskId: 't' })
    const before = Date.now()
    const event = emitter.emit({ kind: 'thought-delta', delta: 'Hm' })
    expect(Date.parse(event.timestamp)).toBeGreaterThanOrEqual(before)
    expect(event.thoughtId).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('creates ids without crypto.randomUUID, as in insecure contexts', () => {
    const { randomUUID } = crypto
    Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true })
    try {
      const emitter = createEmitter({ contextId: 'c', taskId: 't' })
      const ids = [1, 2].map(() => emitter.emit({ ...thought }).thoughtId)
      expect(ids[0]).toMatch(/^[0-9a-f]{32}$/)
      expect(ids[0]).not.toBe(ids[1])
    } finally {
      Object.defineProperty(crypto, 'randomUUID', { value: randomUUID, configurable: true })
    }
  })

  it('narrows the type of the event by the draft', () => {
    const event = emitterAt().emit({ kind: 'content-delta', delta: 'Hi' })
    expect(event.delta.length + event.index).toBe(2)
  })

  it.each([
    ['a wrong field', { kind: 'content-delta', delta: 7 }, /content-delta.*\/delta/],
    ['a missing field', { kind: 'tool-start', toolCallId: 'c', toolName: 't' }, /\/arguments/],
    ['null', { kind: 'content-complete', content: 'x', finishReason: null }, /\/finishReason: .*null/],
    ['an unknown kind', { kind: 'later' }, /"kind" must be .*, got "later"/],
    ['a name that every object has', { kind: 'toString' }, /"kind" must be .*, got "toString"/],
    ['no kind', {}, /"kind" must be .*, got undefined/],
    ['a misspelled kind', { kind: 'content_delta' }, /such as "content-delta"/],
  ])('rejects %s with a TypeError', (_name, draft, message) => {
    const emitter = emitterAt()
    expect(() => emitter.emit(draft as never)).toThrow(TypeError)
    expect(() => emitter.emit(draft as never)).toThrow(message)
  })

  it('does not count a rejected draft', () => {
    const emitter = emitterAt()
    expect(() => emitter.emit({ kind: 'content-delta', delta: 7 } as never)).toThrow(TypeError)
    expect(emitter.emit({ kind: 'content-delta', delta: 'a' }).index).toBe(0)
  })
})

describe('counting', () => {
  const indexes = (drafts: EventDraft[]): (number | undefined)[] => {
    const emitter = emitterAt()
    return drafts.map((draft) => (emitter.emit(draft) as { index?: number }).index)
  }
  const content: EventDraft = { kind: 'content-delta', delta: 'x' }
  const args = (toolCallId: string): EventDraft => ({
    kind: 'tool-arguments-delta',
    toolCallId,
    toolName: 't',
    delta: '',
  })
  const file = (artifactId: string, complete = false): EventDraft => ({
    kind: 'file-write',
    artifactId,
    data: '',
    complete,
  })

  it('counts content deltas by segment', () => {
    expect(indexes([content, content, { kind: 'content-complete', content: 'xx' }, content])).toEqual([
      0,
      1,
      undefined,
      0,
    ])
  })

  it('counts the deltas of each text from 0, however texts interleave', () => {
    const id = fc.constantFrom(undefined, 'a', 'b')
    const steps = fc.array(fc.tuple(id, fc.nat(4)), { maxLength: 40 })
    fc.assert(
      fc.property(steps, (steps) => {
        const emitter = emitterAt()
        const next = new Map<string | undefined, number>()
        for (const [contentId, choice] of steps) {
          const named = contentId === undefined ? {} : { contentId }
          if (choice === 0) {
            emitter.emit({ kind: 'content-complete', ...named, content: '' })
            next.delete(contentId)
          } else {
            const { index } = emitter.emit({ kind: 'content-delta', ...named, delta: 'x' })
            expect(index).toBe(next.get(contentId) ?? 0)
            next.set(contentId, index + 1)
          }
        }
      }),
      { numRuns: runs(200) },
    )
  })

  it('counts argument deltas by call, until the tool starts', () => {
    const start: EventDraft = { kind: 'tool-start', toolCallId: 'a', toolName: 't', arguments: {} }
    expect(indexes([args('a'), args('b'), args('a'), start, args('a'), args('b')])).toEqual([
      0,
      0,
      1,
      undefined,
      0,
      1,
    ])
  })

  it('counts chunks and batches by artifact, until the last', () => {
    const batch: EventDraft = { kind: 'dataset-write', artifactId: 'c', rows: [], complete: false }
    expect(indexes([file('a'), file('b'), file('a', true), file('a'), batch, batch])).toEqual([
      0, 0, 1, 0, 0, 1,
    ])
  })

  it('continues from an index in the draft, also of a merged delta', () => {
    expect(
      indexes([{ ...content, index: 4 }, content, { ...content, index: 6, indexEnd: 9 }, content]),
    ).toEqual([4, 5, 6, 10])
  })

  it('repeats the type and the verbosity of a thought on its deltas', () => {
    const emitter = createEmitter({ contextId: 'c', taskId: 't' })
    const labels = { thoughtType: 'planning', verbosity: 'detailed' } as const
    const labelsOf = (draft: EventDraft) => {
      const { thoughtType, verbosity } = emitter.emit(draft) as Partial<ThoughtDeltaEvent>
      return { thoughtType, verbosity }
    }
    expect(labelsOf({ kind: 'thought-delta', delta: 'a', ...labels })).toEqual(labels)
    expect(labelsOf({ kind: 'thought-delta', delta: 'b' })).toEqual(labels)
    expect(labelsOf({ kind: 'thought-delta', delta: 'b', thoughtId: 'other' })).toEqual({})
    expect(labelsOf({ kind: 'thought-delta', delta: 'c', verbosity: 'brief' })).toEqual({
      verbosity: 'brief',
    })
    emitter.emit(thought)
    expect(labelsOf({ kind: 'thought-delta', delta: 'd' })).toEqual({})
  })

  it('uses one id for the deltas of a thought and the complete thought', () => {
    const emitter = emitterAt()
    const drafts: EventDraft[] = [
      { kind: 'thought-delta', delta: 'a' },
      { kind: 'thought-delta', delta: 'b' },
      thought,
      thought,
      { kind: 'thought-delta', delta: 'c' },
      { ...thought, thoughtId: 'other' } as EventDraft,
      thought,
    ]
    expect(
      drafts.map((draft) => {
        const { thoughtId, index } = emitter.emit(draft) as { thoughtId: string; index: number }
        return [thoughtId, index]
      }),
    ).toEqual([
      ['id-1', 0],
      ['id-1', 1],
      ['id-1', 0],
      ['id-2', 1],
      ['id-3', 0],
      ['other', 2],
      ['id-3', 3],
    ])
  })

  it('creates valid events without gaps from any drafts', () => {
    const draft: fc.Arbitrary<EventDraft> = fc.oneof(
      fc.constant(content),
      fc.constant<EventDraft>({ kind: 'content-complete', content: '' }),
      fc.constantFrom('a', 'b').map(args),
      fc.tuple(fc.constantFrom('a', 'b'), fc.boolean()).map(([id, complete]) => file(id, complete)),
      fc.constant<EventDraft>({ kind: 'thought-delta', delta: '' }),
    )
    fc.assert(
      fc.property(fc.array(draft), (drafts) => {
        const emitter = emitterAt()
        const next = new Map<string, number>()
        for (const one of drafts) {
          const event = emitter.emit(one)
          expect(decodeEvent(event).status).toBe('known')
          const counted = `${event.kind} ${(event as { toolCallId?: string }).toolCallId} ${(event as { artifactId?: string }).artifactId}`
          if (event.kind === 'content-complete') next.delete('content-delta undefined undefined')
          if (!('index' in event)) continue
          expect(event.index).toBe(next.get(counted) ?? 0)
          next.set(counted, event.index + 1)
          if (event.kind === 'file-write' && event.complete) next.delete(counted)
        }
      }),
      { numRuns: runs(200) },
    )
  })
})

describe('child', () => {
  it('emits events of the subtask, with parent and path', () => {
    const emitter = emitterAt()
    const child = emitter.child({ taskId: 'task-2', agentName: 'researcher' })
    const grandchild = child.child({ taskId: 'task-3' })
    expect(child.emit({ kind: 'task-created', initiator: 'agent' })).toMatchObject({
      contextId: 'ctx-1',
      taskId: 'task-2',
      parentTaskId: 'task-1',
      path: ['researcher'],
    })
    expect(grandchild.emit({ kind: 'task-status', status: 'working' })).toMatchObject({
      taskId: 'task-3',
      parentTaskId: 'task-2',
      path: ['researcher', 'task-3'],
    })
  })

  it('counts separately and shares clock and id generator', () => {
    const emitter = emitterAt(() => 5)
    const child = emitter.child({ taskId: 'task-2' })
    emitter.emit({ kind: 'content-delta', delta: 'x' })
    expect(child.emit({ kind: 'content-delta', delta: 'x' })).toMatchObject({
      index: 0,
      timestamp: '1970-01-01T00:00:00.005Z',
    })
    expect(emitter.emit({ kind: 'thought-delta', delta: '' }).thoughtId).toBe('id-1')
    expect(child.emit({ kind: 'thought-delta', delta: '' }).thoughtId).toBe('id-2')
  })
})

it.each([
  [{ contextId: '', taskId: 't' }],
  [{ contextId: 'c', taskId: '' }],
  [{ contextId: 'c' }],
  [{ contextId: 'c', taskId: 't', parentTaskId: '' }],
])('rejects the context %j', (options) => {
  expect(() => createEmitter(options as never)).toThrow(TypeError)
})

describe('iteration', () => {
  it('is stated by texts, thoughts and tool events whose drafts do not state one', () => {
    let iteration: number | undefined
    const { emit } = createEmitter({ contextId: 'ctx-1', taskId: 'task-1', iteration: () => iteration })
    const stated = (draft: EventDraft): unknown => (emit(draft) as { iteration?: number }).iteration
    expect(stated({ kind: 'content-delta', delta: 'a' })).toBeUndefined()
    iteration = 2
    expect(stated({ kind: 'content-delta', delta: 'b' })).toBe(2)
    expect(stated({ kind: 'content-complete', content: 'ab', iteration: 1 })).toBe(1)
    expect(stated({ kind: 'task-status', status: 'working' })).toBeUndefined()
    iteration = -1
    expect(() => emit({ kind: 'content-delta', delta: 'c' })).toThrow('/iteration')
  })

  it('that is reset begins again, and thoughts count on from those that remain', () => {
    const { emit } = createEmitter({ contextId: 'ctx-1', taskId: 'task-1', iteration: () => 1 })
    const thought = { kind: 'thought-stream', thoughtType: 'planning', verbosity: 'brief' } as const
    const indexOf = (draft: EventDraft): unknown => (emit(draft) as { index?: number }).index
    expect(indexOf({ ...thought, content: 'a', iteration: 0 })).toBe(0)
    expect(indexOf({ ...thought, content: 'b' })).toBe(1)
    expect(indexOf({ kind: 'content-delta', delta: 'a' })).toBe(0)
    expect(indexOf({ kind: 'content-delta', delta: 'b', contentId: 'other', iteration: 0 })).toBe(0)
    emit({ kind: 'iteration-reset', iteration: 1 })
    expect(indexOf({ ...thought, content: 'c' })).toBe(1)
    expect(indexOf({ kind: 'content-delta', delta: 'a' })).toBe(0)
    expect(indexOf({ kind: 'content-delta', delta: 'c', contentId: 'other', iteration: 0 })).toBe(1)
    emit({ kind: 'content-replace', content: 'd' })
    expect(indexOf({ kind: 'content-delta', delta: 'e' })).toBe(1)
  })
})
