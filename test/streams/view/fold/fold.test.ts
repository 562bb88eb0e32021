// Tests folding: its laws, and the view of legal streams.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContextAnyEvent, UnknownEvent } from '../../../../src/index.ts'
import {
  artifactOf,
  compact,
  emptyView,
  foldEvent,
  foldEvents,
  type PartView,
  taskOf,
  type View,
} from '../../../../src/streams/index.ts'
import type { ArtifactContent } from '../../../../src/streams/view/artifact.ts'
import { runs } from '../../../support/runs.ts'
import {
  approvalStreams,
  deltaStreams,
  expectPlainMessages,
  fold,
  soundStreams,
  strayStreams,
} from '../../verify/support.ts'
import { created, events, labelled } from '../support.ts'
import { modelOf, summaryOf } from './fold-model.ts'

const anyStream = fc.oneof(deltaStreams, strayStreams)

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze)
  return value
}

/** What is equal in two views, but not the same object: tasks and artifacts by id, and how many parts. */
function copiesIn(before: View, after: View): { ids: string[]; parts: number } {
  const isCopy = (a: unknown, b: unknown): boolean => a !== b && JSON.stringify(a) === JSON.stringify(b)
  const tasks = after.tasks.filter((task, i) => isCopy(before.tasks[i], task))
  const artifacts = after.artifacts.filter((artifact, i) => isCopy(before.artifacts[i], artifact))
  const parts = after.tasks.flatMap((task, i) =>
    task.parts.filter((part, at) => isCopy(before.tasks[i]?.parts[at], part)),
  )
  const ids = [...tasks.map(({ taskId }) => taskId), ...artifacts.map(({ artifactId }) => artifactId)]
  return { ids, parts: parts.length }
}

describe('laws', () => {
  it('changes neither the view nor the event, and continues from a stored view', () => {
    fc.assert(
      fc.property(anyStream, (stream) => {
        const plain = fold(stream)
        let stored: View = emptyView
        for (const event of stream) {
          stored = freeze(JSON.parse(JSON.stringify(foldEvent(stored, freeze(event)))) as View)
        }
        expect(stored).toEqual(plain)
        expect(JSON.parse(JSON.stringify(plain))).toStrictEqual(plain)
      }),
      { numRuns: runs(150) },
    )
  })

  it('agrees with a simple model, even if events are lost, repeated or out of order', () => {
    fc.assert(
      fc.property(
        labelled(fc.oneof(anyStream, soundStreams({ maxChoices: 80 }), approvalStreams)),
        (stream) => {
          expect(summaryOf(fold(stream))).toEqual(modelOf(stream))
        },
      ),
      { numRuns: runs(500) },
    )
  })

  it('folds a batch like its events one by one, wherever it is cut', () => {
    fc.assert(
      fc.property(labelled(anyStream), fc.nat(60), (stream, cut) => {
        const [before, after] = [stream.slice(0, cut), stream.slice(cut)]
        const first = freeze(foldEvents(emptyView, before))
        expect(first).toEqual(fold(before))
        const whole = foldEvents(first, after)
        expect(whole).toEqual(fold(stream))
        // Also the fields of objects are in the same order.
        expect(JSON.stringify(whole)).toBe(JSON.stringify(fold(stream)))
      }),
      { numRuns: runs(300) },
    )
  })

  it('gives the same view for a compacted stream', () => {
    fc.assert(
      fc.property(labelled(anyStream), (stream) => {
        expect(foldEvents(emptyView, compact(stream))).toEqual(foldEvents(emptyView, stream))
      }),
      { numRuns: runs(300) },
    )
  })

  it('only adds parts, in the order of their first events, but for revisions', () => {
    const nameOf = (part: PartView): unknown => {
      const ids = Object.entries(part).filter(([name]) =>
        /^(type|segment|at|thoughtId|toolCallId|inputId|authId|artifactId|subtaskId|customId)$/.test(name),
      )
      return Object.fromEntries(ids)
    }
    fc.assert(
      fc.property(anyStream, (stream) => {
        let view: View = emptyView
        for (const event of stream) {
          const next = foldEvent(view, event)
          for (const [i, { taskId, parts }] of view.tasks.entries()) {
            const later = next.tasks[i]
            expect(later?.taskId).toBe(taskId)
            const isRevised = taskId === event.taskId && /replace|reset/.test(event.kind)
            if (!isRevised) expect(later?.parts.slice(0, parts.length).map(nameOf)).toEqual(parts.map(nameOf))
            if (taskId === event.taskId) continue
            const added = later?.parts.slice(parts.length) ?? []
            expect(added).toEqual([])
          }
          view = next
        }
      }),
      { numRuns: runs(100) },
    )
  })

  it('keeps what an event does not change', () => {
    fc.assert(
      fc.property(soundStreams({ maxChoices: 60 }), (stream) => {
        let view: View = emptyView
        for (const event of stream) {
          const next = foldEvent(view, event)
          const { ids, parts } = copiesIn(view, next)
          const own = [event.taskId, 'artifactId' in event ? event.artifactId : undefined]
          expect(ids.filter((id) => !own.includes(id))).toEqual([])
          expect(parts).toBeLessThanOrEqual(1)
          view = next
        }
      }),
      { numRuns: runs(60) },
    )
  })

  it('gives the same tasks, however their events interleave', () => {
    fc.assert(
      fc.property(soundStreams({ maxChoices: 60 }), (stream) => {
        const ids = [...new Set(stream.map(({ taskId }) => taskId))]
        const sorted = ids.toReversed().flatMap((id) => stream.filter(({ taskId }) => taskId === id))
        const [one, other] = [fold(stream), fold(sorted)]
        for (const id of ids) expect(taskOf(other, id)).toEqual(taskOf(one, id))
        for (const { artifactId } of one.artifacts) {
          expect(artifactOf(other, artifactId)).toEqual(artifactOf(one, artifactId))
        }
      }),
      { numRuns: runs(200) },
    )
  })

  it('reports faults in messages with the expected and actual values', () => {
    fc.assert(
      fc.property(anyStream, (stream) => expectPlainMessages(fold(stream).diagnostics)),
      { numRuns: runs(300) },
    )
  })

  it('returns the same view for unknown kinds and internal events', () => {
    const odd: UnknownEvent[] = ['odd', 'toString', '__proto__'].map((kind) => ({ ...created, kind }))
    const internal = events({ kind: 'internal:checkpoint', iteration: 1 })
    const view = fold([created])
    for (const event of [...odd, ...internal]) expect(foldEvent(view, event)).toBe(view)
  })
})

/** Each expectation comes from the events of the stream themselves. */
describe('the view of a legal stream', () => {
  const check = (prove: (stream: readonly ContextAnyEvent[], view: View) => void): void =>
    fc.assert(
      fc.property(fc.oneof(soundStreams({ maxChoices: 80 }), approvalStreams), (stream) =>
        prove(stream, fold(stream)),
      ),
      { numRuns: runs(200) },
    )
  const partsIn = (view: View, taskId: string): PartView[] => {
    return [...(taskOf(view, taskId)?.parts ?? [])]
  }
  const idsOf = (stream: readonly ContextAnyEvent[]) => [...new Set(stream.map(({ taskId }) => taskId))]

  it('has diagnostics only for random changes of artifacts and for abandoned writes', () => {
    check((_, { diagnostics }) => {
      for (const { code } of diagnostics) {
        expect(['wrong-type', 'version-conflict', 'abandoned-write', 'unknown-artifact']).toContain(code)
      }
    })
  })

  it('has the tasks as a tree, with their status', () => {
    check((stream, view) => {
      expect(view.tasks.map(({ taskId }) => taskId).sort()).toEqual(idsOf(stream).sort())
      for (const task of view.tasks) {
        const own = stream.filter(({ taskId }) => taskId === task.taskId)
        expect(task.parentTaskId).toBe(own[0]?.parentTaskId ?? null)
        expect(task.updatedAt).toBe(own.at(-1)?.timestamp)
        const children = stream.flatMap((event) =>
          event.kind === 'subtask-created' && event.taskId === task.taskId ? [event.subtaskId] : [],
        )
        const subtasks = task.parts.flatMap((part) => (part.type === 'subtask' ? [part] : []))
        expect(subtasks.map(({ subtaskId }) => subtaskId)).toEqual(children)
        for (const { subtaskId, status } of subtasks) expect(status).toBe(taskOf(view, subtaskId)?.status)
        const last = own.findLast(({ kind }) => kind === 'task-status' || kind === 'task-complete')
        expect(task.status).toBe(last?.kind === 'task-status' ? last.status : last ? 'completed' : null)
      }
    })
  })

  it('has the text of every segment and thought', () => {
    check((stream, view) => {
      for (const id of idsOf(stream)) {
        const own = stream.filter(({ taskId }) => taskId === id)
        const parts = partsIn(view, id)
        for (const contentId of [undefined, 'text-1', 'text-2']) {
          const texts = textsIn(own, contentId)
          const seen = parts.flatMap((part) =>
            part.type === 'text' && part.contentId === contentId ? [part] : [],
          )
          const joined = (status: string): string[] => {
            const whole = new Map<number, string>()
            for (const part of seen) {
              if (part.status !== status) continue
              whole.set(part.segment, (whole.get(part.segment) ?? '') + part.text)
            }
            return [...whole.values()]
          }
          expect(joined('complete')).toEqual(texts.filter(({ isOpen }) => !isOpen).map(({ text }) => text))
          expect(joined('ended')).toEqual(texts.filter(({ isOpen }) => isOpen).map(({ text }) => text))
        }
        const thoughts = own.flatMap((event, i) =>
          event.kind === 'thought-stream' && !isReset(own.slice(i), event.iteration) ? [event.content] : [],
        )
        const thought = parts.flatMap((part) =>
          part.type === 'thought' && part.status === 'complete' ? [part] : [],
        )
        expect(thought.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)).map(({ text }) => text)).toEqual(
          thoughts,
        )
      }
    })
  })

  it('has every tool call and request with its outcome', () => {
    check((stream, view) => {
      for (const event of stream) {
        const parts = partsIn(view, event.taskId)
        if (event.kind === 'tool-start') {
          const part = parts.find((one) => one.type === 'tool' && one.toolCallId === event.toolCallId)
          const end = stream.find(
            (one) => one.kind === 'tool-complete' && one.toolCallId === event.toolCallId,
          )
          const status = end?.kind === 'tool-complete' ? (end.success ? 'succeeded' : 'failed') : 'ended'
          const output = stream.flatMap((one) =>
            one.kind === 'tool-progress' && one.toolCallId === event.toolCallId
              ? [one.metadata?.chunk ?? '']
              : [],
          )
          expect(part).toMatchObject({ status, arguments: event.arguments, toolName: event.toolName })
          expect((part?.type === 'tool' && part.output?.stdout) || '').toBe(output.join(''))
        }
        if (event.kind === 'input-required') {
          const part = parts.find((one) => one.type === 'input' && one.inputId === event.inputId)
          const end = stream.find((one) => one.kind === 'input-received' && one.inputId === event.inputId)
          const status = end?.kind === 'input-received' ? (end.outcome ?? 'answered') : 'canceled'
          expect(part).toMatchObject({ status, request: { prompt: event.prompt } })
        }
        if (event.kind === 'auth-required') {
          const part = parts.find((one) => one.type === 'auth' && one.authId === event.authId)
          const end = stream.find((one) => 'authId' in one && one.authId === event.authId && one !== event)
          const status = end === undefined ? 'ended' : end.kind === 'auth-completed' ? 'completed' : 'failed'
          expect(part).toMatchObject({ status, request: { prompt: event.prompt } })
        }
      }
    })
  })

  it('has every complete artifact', () => {
    check((stream, view) => {
      const changed = new Set(
        stream.flatMap((one) => (one.kind === 'artifact-delta' ? [one.artifactId] : [])),
      )
      for (const event of stream) {
        if (!('artifactId' in event) || changed.has(event.artifactId)) continue
        const content = artifactOf(view, event.artifactId)?.committed?.content
        const all = stream.filter((one) => 'artifactId' in one && one.artifactId === event.artifactId)
        const isComplete = all.some((one) => 'complete' in one && one.complete)
        if (event.kind === 'file-write') {
          const { encoding = 'utf-8' } = all[0] as typeof event
          const bytes = Buffer.concat(
            all.map((one) => Buffer.from('data' in one ? String(one.data) : '', encoding)),
          )
          expect(bytesIn(content)).toEqual(isComplete ? bytes.toString('latin1') : undefined)
        }
        if (event.kind === 'dataset-write') {
          const rows = all.flatMap((one) => (one.kind === 'dataset-write' ? one.rows : []))
          expect(content?.type === 'rows' ? content.rows : undefined).toEqual(isComplete ? rows : undefined)
        }
        if (event.kind === 'data-write') {
          expect(content).toEqual({ type: 'data', data: (all.at(-1) as typeof event).data })
        }
      }
    })
  })
})

it('keeps a call of an iteration that is reset if it has started, or waits for an approval', () => {
  const toolCall = { id: 'asked', function: { name: 'n', arguments: '{}' } }
  const ask = { kind: 'input-required', inputId: 'i', inputType: 'tool-execution', prompt: '?' }
  const iteration = 0
  const calls = [
    { kind: 'tool-start', toolCallId: 'started', toolName: 'n', arguments: {}, iteration },
    ...['asked', 'written'].map((toolCallId) => ({
      ...{ kind: 'tool-arguments-delta', toolCallId, toolName: 'n', delta: '{', index: 0, iteration },
    })),
    { ...ask, metadata: { toolCall } },
  ]
  const view = fold(events(created, ...calls, { kind: 'iteration-reset', iteration }))
  const ids = view.tasks[0]?.parts.flatMap((part) => (part.type === 'tool' ? part.toolCallId : []))
  expect(ids).toEqual(['started', 'asked'])
  const found = view.diagnostics.filter(({ code }) => code === 'started-call')
  expect(found.map(({ id }) => id)).toEqual(['started', 'asked'])
})

it('keeps what parts have when their task ends', () => {
  const open = events(
    ...[created, { kind: 'content-delta', delta: 'a', index: 0 }],
    { kind: 'thought-delta', thoughtId: 'h', delta: 'b', index: 0 },
    { kind: 'tool-start', toolCallId: 'k', toolName: 'n', arguments: {} },
    { kind: 'input-required', inputId: 'i', inputType: 'custom', prompt: '?' },
    { kind: 'auth-required', authId: 'a', authType: 'api-key', prompt: '?' },
    { kind: 'file-write', artifactId: 'f', data: 'c', index: 0, complete: false },
  )
  const partsOf = (view: View) => view.tasks[0]?.parts ?? []
  const before = partsOf(fold(open))
  const after = partsOf(fold([...open, ...events({ kind: 'task-status', status: 'failed' })]))
  const ended = { status: 'ended' }
  const canceled = { status: 'canceled', reason: 'task-ended' }
  const changes = [ended, ended, ended, canceled, ended, ended]
  expect(after).toEqual(before.map((part, i) => ({ ...part, ...changes[i] })))
})

it.each([
  ['waiting', 'waiting', []],
  ['waiting', 'approved', [{ kind: 'input-received', inputId: 'i' }]],
  ['declined', 'declined', [{ kind: 'input-received', inputId: 'i', outcome: 'declined' }]],
  ['expired', 'expired', [{ kind: 'input-canceled', inputId: 'i', reason: 'expired' }]],
  ['canceled', 'canceled', [{ kind: 'input-canceled', inputId: 'i', reason: 'withdrawn' }]],
  ['waiting', 'waiting', [{ kind: 'input-received', inputId: 'other' }]],
])('shows a call as %s while its approval is %s', (status, approval, later) => {
  const toolCall = { id: 'k', function: { name: 'pay', arguments: '{}' } }
  const ask = { kind: 'input-required', inputType: 'tool-execution', prompt: '?', metadata: { toolCall } }
  const other = { ...ask, inputId: 'other', metadata: {} }
  const view = fold(events(created, { ...ask, inputId: 'i' }, other, ...later))
  const call = view.tasks[0]?.parts.find(({ type }) => type === 'tool')
  expect(call).toMatchObject({ status, approval: { inputId: 'i', status: approval } })
})

function bytesIn(content: ArtifactContent | undefined): string | undefined {
  if (content?.type === 'text') return Buffer.from(content.text).toString('latin1')
  return content?.type === 'bytes' ? Buffer.from(content.base64, 'base64').toString('latin1') : undefined
}

/** Whether a later event resets an iteration. */
function isReset(later: readonly ContextAnyEvent[], iteration: number | undefined): boolean {
  return later.some((event) => event.kind === 'iteration-reset' && event.iteration === iteration)
}

/** The segments of a text, in order. */
function textsIn(
  events: readonly ContextAnyEvent[],
  contentId: string | undefined,
): { text: string; isOpen: boolean }[] {
  let texts: { text: string; isOpen: boolean; iteration: number | undefined }[] = []
  for (const event of events) {
    if (event.kind === 'iteration-reset') {
      texts = texts.filter(({ iteration }) => iteration !== event.iteration)
    }
    if (!event.kind.startsWith('content-') || (event as { contentId?: string }).contentId !== contentId)
      continue
    const last = texts.at(-1)
    const open = last?.isOpen ? last : undefined
    const { iteration } = event as { iteration?: number }
    const added = { text: '', isOpen: true, iteration }
    if (event.kind === 'content-replace') {
      const text = last ?? added
      Object.assign(text, { text: event.content, isOpen: true })
      if (last === undefined) texts.push(text)
    } else {
      const text = open ?? added
      if (open === undefined) texts.push(text)
      if (event.kind === 'content-delta') text.text += event.delta
      if (event.kind === 'content-complete') Object.assign(text, { text: event.content, isOpen: false })
    }
  }
  return texts
}
