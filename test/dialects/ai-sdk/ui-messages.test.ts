// The messages of a view are those that a page shows of the stream.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toUiMessageStream, type UiMessageChunk, uiMessages } from '../../../src/dialects/ai-sdk/index.ts'
import { type ContextAnyEvent, isTerminalStatus } from '../../../src/index.ts'
import { emptyView, foldEvents, taskOf } from '../../../src/streams/index.ts'
import type { LegalStreamOptions } from '../../support/legal-streams.ts'
import { leavesOf, resultsOf } from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'
import { eventStreams } from './event-streams.ts'
import { expectLoadable, type Part, readMessage } from './readers.ts'

/** Sees everything, so that parts begin where they do in the view. */
const viewer = { audience: 'operator' } as const

/** The chunks of events. A message that goes on is not closed. */
function chunksOf(events: readonly ContextAnyEvent[], version: 5 | 6 | 7): UiMessageChunk[] {
  const steps = resultsOf(toUiMessageStream({ version, viewer }) as never, events)
  return steps.slice(0, hasEnded(events) ? undefined : -1).flatMap(({ out }) => out as UiMessageChunk[])
}

function hasEnded(events: readonly ContextAnyEvent[]): boolean {
  return events.some(
    (event) =>
      event.kind === 'task-complete' || (event.kind === 'task-status' && isTerminalStatus(event.status)),
  )
}

/** Parts that stand where they began or where they ended: in any order, the last of each file only. */
function isMovable({ type, id, data }: Part): boolean {
  const isOfArtifact = /^data-(?!input|auth|error|acme)/.test(type) && id !== undefined
  const isNested = type === 'data-subtask' && (data as { parentTaskId: string }).parentTaskId !== 'task-1'
  return type === 'file' || type.startsWith('source-') || isOfArtifact || isNested
}

/** The artifact of a file part. */
const fileOf = (part: Part): unknown =>
  (part.providerMetadata as { turnstream?: { artifactId?: string } } | undefined)?.turnstream?.artifactId

const isFile = ({ type }: Part): boolean => type === 'file'

/** Version 5 has no ids of files: a page shows all states of each, a stored message the last one. */
const unnamedFiles = (parts: readonly Part[]): string[] =>
  parts.filter((part) => isFile(part) && fileOf(part) === undefined).map(comparable)

function normal(parts: readonly Part[], isComplete: boolean): unknown {
  const latest = new Map(parts.filter(isFile).map((part) => [fileOf(part), part]))
  const kept = parts.filter(
    (part) =>
      part.type !== 'step-start' &&
      (isComplete || !isPartial(part)) &&
      (!isFile(part) || (fileOf(part) !== undefined && latest.get(fileOf(part)) === part)),
  )
  // In views, a custom event replaces one of another name with the same id.
  const isCustom = ({ type, id }: Part): boolean => type.startsWith('data-acme.') && id !== undefined
  const ordered = kept.filter((part) => !isMovable(part) && !isCustom(part)).map(comparable)
  const moved = kept.filter(isMovable).map(comparable)
  return { ordered, moved: moved.sort((a, b) => (a < b ? -1 : 1)) }
}

/** Metadata with the models of its usage in order: texts that overlap may end in any. */
function withSortedModels(metadata: unknown): unknown {
  const copy = structuredClone(metadata) as { usage?: { models?: unknown[] } } | undefined
  copy?.usage?.models?.sort((a, b) => (sortedJson(a) < sortedJson(b) ? -1 : 1))
  return copy
}

/** Metadata without its usage; `undefined` if nothing else is in it. */
function withoutUsage(metadata: unknown): unknown {
  const { usage: _, ...others } = (metadata ?? {}) as { usage?: unknown }
  return Object.keys(others).length === 0 ? undefined : others
}

/** Whether a response is discarded, or a text replaced, that stated its usage: a page counts it, as it is billed; a view has the usage of what it shows. */
function discardsUsage(events: readonly ContextAnyEvent[]): boolean {
  const stated = events.findIndex((event) => event.kind === 'content-complete' && event.metadata?.usage)
  return (
    stated >= 0 &&
    events.slice(stated).some(({ kind }) => kind === 'iteration-reset' || kind === 'content-replace')
  )
}

const at = { contextId: 'ctx-1', taskId: 'task-1', timestamp: '2026-01-31T10:30:00.001Z' }
const discardedUsages = [
  { kind: 'iteration-reset', iteration: 0 },
  { kind: 'content-replace', content: '', iteration: 0 },
].map(
  (discard) =>
    [
      { ...at, kind: 'task-created', initiator: 'agent' },
      {
        ...at,
        kind: 'content-complete',
        content: '',
        iteration: 0,
        metadata: { usage: [{ inputTokens: 53 }] },
      },
      { ...at, ...discard },
      { ...at, kind: 'task-status', status: 'completed' },
    ] as ContextAnyEvent[],
)

/** JSON with the members of each object in order. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

/** A dataset: of a task that fails, views have the rows of complete versions only. */
const isPartial = ({ type, data }: Part): boolean => type.startsWith('data-') && Array.isArray(data)

/** A part as text, without what the order of parts and the parser of incomplete JSON decide. */
function comparable(part: Part): string {
  const { type, ...fields } = part
  const isArtifact = isMovable(part) && type.startsWith('data-')
  const { input, ...others } = fields as { input?: unknown }
  // Views have the whole arguments of a call that was asked about, also if a page of version 5 has only seen a part.
  const isPartial =
    fields.state === 'input-streaming' || /cut off/.test(String((fields as { errorText?: string }).errorText))
  const { approval, ...rest } = (isPartial ? others : fields) as {
    approval?: object
    state?: string
  }
  // Stored messages have the answers that pages know themselves, and only those that servers accept. Why a request was
  // canceled is in no chunk as long as its call may go on.
  const isOpen = rest.state?.startsWith('approval-') === true
  const kept = {
    ...rest,
    ...(isOpen && { state: 'approval', approval: { ...approval, approved: undefined, reason: undefined } }),
  }
  const text = sortedJson({ type: isArtifact ? 'data' : type, ...kept })
  return text.replaceAll(/turnstream:source:\d+/g, 'source')
}

/** Whether the chunks express each revision: only version 7 begins a step again, if nothing in it has to stay. */
function isRevisable(events: readonly ContextAnyEvent[], version: 5 | 6 | 7): boolean {
  const { step, initial } = toUiMessageStream({ version, viewer })
  let state = initial
  return events.every((event) => {
    const { diagnostics = [], ...next } = step(state, event)
    state = next.state
    const isRevision = event.kind === 'content-replace' || event.kind === 'iteration-reset'
    return !isRevision || diagnostics.every(({ code }) => !/^(?:lossy:content|dropped:)/.test(code))
  })
}

describe('uiMessages', () => {
  const streams: readonly LegalStreamOptions[] = [
    { subtasks: false },
    { subtasks: false, ended: false },
    { focus: 'texts', subtasks: false },
  ]
  const cases = ([5, 6, 7] as const).flatMap((version) => streams.map((options) => ({ version, options })))

  it.each(cases)(
    'gives the parts that a page shows, for $version and $options',
    async ({ version, options }) => {
      await fc.assert(
        fc.asyncProperty(eventStreams(options), async (events) => {
          fc.pre(isOrdinary(events) && isRevisable(events, version))
          const { message } = await readMessage(version, chunksOf(events, version))
          const view = foldEvents(emptyView, events)
          const stored = uiMessages(view, { version, viewer }).find(({ role }) => role === 'assistant')
          expect(leavesOf(stored).filter(({ value, path }) => path !== '' && value === undefined)).toEqual([])
          const isComplete = taskOf(view, 'task-1')?.status === 'completed'
          const own = JSON.parse(JSON.stringify(stored ?? { parts: [] })) as {
            parts: Part[]
            metadata?: unknown
            id?: string
          }
          expect(unnamedFiles(message?.parts ?? [])).toEqual(expect.arrayContaining(unnamedFiles(own.parts)))
          const metadataOf = discardsUsage(events) ? withoutUsage : withSortedModels
          expect({
            id: own.id,
            metadata: metadataOf(own.metadata),
            ...(normal(own.parts, isComplete) as object),
          }).toEqual({
            id: message?.id,
            metadata: metadataOf(message?.metadata),
            ...(normal(message?.parts ?? [], isComplete) as object),
          })
        }),
        {
          numRuns: runs(100),
          examples: options.ended === undefined ? discardedUsages.map((events) => [events]) : [],
        },
      )
    },
  )
})

describe.each([6, 7] as const)('uiMessages of version %i', (version) => {
  const validated = (events: readonly ContextAnyEvent[]) =>
    uiMessages(foldEvents(emptyView, events), { version, viewer }).filter(({ parts }) => parts.length > 0)

  it('are messages that servers accept', async () => {
    await fc.assert(
      fc.asyncProperty(eventStreams({ ended: false }), fc.nat(), async (events, cut) => {
        await expectLoadable(version, validated(events.slice(0, 1 + (cut % events.length))))
        await expectLoadable(version, validated(events))
      }),
      { numRuns: runs(200) },
    )
  })

  it.each(['answered', 'declined', 'canceled', 'declined, and run all the same'])(
    'state whether a call was approved: %s',
    async (answer) => {
      const place = { contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:30:00Z' }
      const call = { toolCallId: 'k', toolName: 'book' }
      const toolCall = { id: 'k', function: { name: 'book', arguments: '{}' } }
      const asked = { inputId: 'q', inputType: 'tool-execution', requireUser: true, prompt: 'Book?' }
      const outcome = answer.startsWith('declined') ? { outcome: 'declined' } : {}
      const events = [
        { kind: 'task-created', initiator: 'agent' },
        { kind: 'input-required', ...asked, metadata: { toolCall } },
        answer === 'canceled'
          ? { kind: 'input-canceled', inputId: 'q', reason: 'expired' }
          : { kind: 'input-received', inputId: 'q', providedBy: 'user', userId: 'u', ...outcome },
        ...(answer === 'answered' || answer.includes('run')
          ? [
              { kind: 'tool-start', ...call, arguments: {} },
              { kind: 'tool-complete', ...call, success: true, result: 1 },
            ]
          : []),
      ].map((event) => ({ ...place, ...event })) as ContextAnyEvent[]
      const messages = validated(events)
      await expectLoadable(version, messages)
      const part = messages.at(-1)?.parts.find(({ type }) => type === 'dynamic-tool') as {
        state?: string
        approval?: { approved?: boolean }
      }
      const expected = {
        answered: ['output-available', true],
        declined: ['output-denied', false],
        canceled: ['output-denied', false],
      }[answer] ?? ['output-available', undefined]
      expect([part.state, part.approval?.approved]).toEqual(expected)
    },
  )
})

/** Whether calls are approved before they run, once at a time: views do not have the order of other requests. */
function isOrdinary(events: readonly ContextAnyEvent[]): boolean {
  const calls = new Map<string, 'open' | 'refused' | 'running' | 'approved'>()
  const callOf = new Map<string, string>()
  for (const event of events) {
    const asked = event.kind === 'input-required' ? event.metadata?.toolCall?.id : undefined
    if (asked !== undefined && event.kind === 'input-required') {
      if (calls.has(asked) && calls.get(asked) !== 'approved') return false
      calls.set(asked, 'open')
      callOf.set(event.inputId, asked)
    }
    if (event.kind === 'input-received' || event.kind === 'input-canceled') {
      const isRefused = event.kind === 'input-canceled' || event.outcome === 'declined'
      calls.set(callOf.get(event.inputId) ?? '', isRefused ? 'refused' : 'approved')
    }
    if (event.kind === 'tool-start' && /open|refused/.test(calls.get(event.toolCallId) ?? '')) return false
    if (event.kind === 'tool-complete' || event.kind === 'tool-progress') {
      if (calls.get(event.toolCallId) === 'open') return false
      calls.set(event.toolCallId, 'running')
    }
  }
  return true
}
