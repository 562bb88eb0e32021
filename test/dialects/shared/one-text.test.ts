// Several texts at the same time, and calls that were cut off, in the formats that have neither.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toAgentEvents } from '../../../src/dialects/agent-event/index.ts'
import { toFrames } from '../../../src/dialects/frames/index.ts'
import { toSessionEvents } from '../../../src/dialects/session/index.ts'
import {
  type ContextAnyEvent,
  createEmitter,
  type Diagnostic,
  type EventDraft,
  run,
} from '../../../src/index.ts'
import { runs } from '../../support/runs.ts'

type Texts = (events: readonly ContextAnyEvent[], onDiagnostic?: (one: Diagnostic) => void) => string[]

/** The texts that each format sends, in order. */
const formats: Readonly<Record<string, Texts>> = {
  'agent-event': (events, onDiagnostic) => {
    const { push } = run(toAgentEvents(), onDiagnostic && { onDiagnostic })
    return events
      .flatMap((event) => [...push(event)])
      .flatMap((out) => (out.type === 'stream' ? [out.content] : []))
  },
  frames: (events, onDiagnostic) => {
    const machine = toFrames({ version: 'v2', sessionId: 's', newId: () => 'id' })
    const { push } = run(machine, onDiagnostic && { onDiagnostic })
    return events
      .flatMap((event) => [...push(event)])
      .flatMap((out) => (out.type === 'output_text_delta' ? [out.delta] : []))
  },
}

function emitted(drafts: readonly EventDraft[]): ContextAnyEvent[] {
  const { emit } = createEmitter({ contextId: 'ctx', taskId: 'task', now: () => 0 })
  return [{ kind: 'task-created' as const, initiator: 'user' as const }, ...drafts].map((draft) =>
    emit(draft),
  )
}

/** Texts whose deltas are `<id><n>;`, interleaved, all complete. */
const interleaved = fc
  .array(fc.tuple(fc.constantFrom('', 'a', 'b'), fc.nat(4)), { maxLength: 30 })
  .map((steps) => {
    const open = new Map<string, string[]>()
    const drafts: EventDraft[] = []
    const complete = (id: string): void => {
      const content = (open.get(id) ?? []).join('')
      drafts.push({ kind: 'content-complete', ...(id !== '' && { contentId: id }), content })
      open.delete(id)
    }
    for (const [n, [id, choice]] of steps.entries()) {
      if (choice === 0 && open.has(id)) complete(id)
      else {
        const delta = `${id}${n};`
        open.set(id, [...(open.get(id) ?? []), delta])
        drafts.push({ kind: 'content-delta', ...(id !== '' && { contentId: id }), delta })
      }
    }
    for (const id of [...open.keys()]) complete(id)
    return drafts
  })

describe.each(Object.keys(formats))('%s', (format) => {
  const textsOf = formats[format] as Texts

  it('sends each text once and in order, however texts interleave', () => {
    fc.assert(
      fc.property(interleaved, (drafts) => {
        const sent = textsOf(emitted(drafts)).join('').split(';').filter(Boolean)
        const deltas = drafts.flatMap((draft) =>
          draft.kind === 'content-delta' ? [draft.delta.slice(0, -1)] : [],
        )
        for (const id of ['', 'a', 'b']) {
          const isOwn = (token: string): boolean => token.replace(/\d+/, '') === id
          expect(sent.filter(isOwn)).toEqual(deltas.filter(isOwn))
        }
        expect(sent).toHaveLength(deltas.length)
      }),
      { numRuns: runs(300) },
    )
  })

  it('sends a text whose beginning was lost', () => {
    const [created, first, ...rest] = emitted([
      { kind: 'content-delta', delta: 'Lost ' },
      { kind: 'content-delta', delta: 'and ' },
      { kind: 'content-delta', delta: 'found.' },
    ])
    expect(first?.kind).toBe('content-delta')
    expect(textsOf([created as ContextAnyEvent, ...rest])).toEqual(['and ', 'found.'])
  })

  it('reports the deltas it leaves out, and sends the text whole', () => {
    const diagnostics: Diagnostic[] = []
    const events = emitted([
      { kind: 'content-delta', delta: 'One ' },
      { kind: 'content-delta', contentId: 'b', delta: 'Two ' },
      { kind: 'content-delta', delta: 'one.' },
      { kind: 'content-complete', content: 'One one.' },
      { kind: 'content-delta', contentId: 'b', delta: 'two.' },
      { kind: 'content-complete', contentId: 'b', content: 'Two two.' },
    ])
    expect(textsOf(events, (one) => diagnostics.push(one))).toEqual(['One ', 'one.', 'Two two.'])
    const dropped = diagnostics.filter(({ code }) => code === 'dropped:content-delta')
    expect(dropped.map(({ detail }) => detail)).toEqual([{ reason: 'other-text' }, { reason: 'other-text' }])
  })
})

describe('a call whose arguments were cut off', () => {
  const events = emitted([
    { kind: 'tool-arguments-delta', toolCallId: 'c', toolName: 't', delta: '{"a":' },
    { kind: 'tool-complete', toolCallId: 'c', toolName: 't', success: false, error: 'cut off' },
  ])

  it.each([
    ['agent-event', toAgentEvents()],
    ['frames', toFrames({ version: 'v2', sessionId: 's', newId: () => 'id' })],
    ['session', toSessionEvents()],
  ])('is dropped by %s', (_format, machine) => {
    const diagnostics: Diagnostic[] = []
    const { push } = run(machine as ReturnType<typeof toAgentEvents>, {
      onDiagnostic: (one) => diagnostics.push(one),
    })
    for (const event of events) push(event)
    expect(diagnostics.find(({ code }) => code === 'dropped:tool-complete')?.detail).toEqual({
      reason: 'not-started',
    })
  })
})
