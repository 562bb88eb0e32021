// Tests folding: its laws, and the view of legal streams.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContextAnyEvent, UnknownEvent } from '../../../src/index.ts'
import { vectorItems } from '../../../src/streams/collections/vector.ts'
import {
  type ArtifactContent,
  artifactOf,
  artifactsOf,
  emptyView,
  foldEvent,
  type PartView,
  partsOf,
  rowsOf,
  type TaskView,
  taskOf,
  tasksOf,
  type View,
} from '../../../src/streams/index.ts'
import { runs } from '../../support/runs.ts'
import { deltaStreams, expectPlainMessages, fold, soundStreams, strayStreams } from '../verify/support.ts'
import { modelOf, summaryOf } from './fold-model.ts'
import { context, created, events } from './support.ts'

const anyStream = fc.oneof(deltaStreams, strayStreams)

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze)
  return value
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
        expect(JSON.parse(JSON.stringify(plain))).toEqual(plain)
      }),
      { numRuns: runs(150) },
    )
  })

  it('agrees with a simple model, even if events are lost, repeated or out of order', () => {
    fc.assert(
      fc.property(fc.oneof(anyStream, soundStreams({ maxChoices: 80 })), (stream) => {
        expect(summaryOf(fold(stream))).toEqual(modelOf(stream))
      }),
      { numRuns: runs(500) },
    )
  })

  it('gives the same tasks, however their events interleave', () => {
    fc.assert(
      fc.property(soundStreams({ maxChoices: 60 }), (stream) => {
        const ids = [...new Set(stream.map(({ taskId }) => taskId))]
        const sorted = ids.toReversed().flatMap((id) => stream.filter(({ taskId }) => taskId === id))
        const [one, other] = [fold(stream), fold(sorted)]
        for (const id of ids) expect(unordered(taskOf(other, id))).toEqual(unordered(taskOf(one, id)))
        for (const { artifactId } of artifactsOf(one)) {
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
    const odd: UnknownEvent[] = [{ kind: 'odd', ...context }, { kind: 'toString' }, { kind: '__proto__' }]
    const internal = events({ kind: 'internal:checkpoint', iteration: 1 })
    const view = fold([created])
    for (const event of [...odd, ...internal]) expect(foldEvent(view, event)).toBe(view)
  })
})

/** A task with sorted subtasks, whose order is that of the events. */
function unordered(task: TaskView | undefined): unknown {
  return task && { ...task, subtasks: vectorItems(task.subtasks).sort() }
}

/** Each expectation comes from the events of the stream themselves. */
describe('the view of a legal stream', () => {
  const check = (prove: (stream: readonly ContextAnyEvent[], view: View) => void): void =>
    fc.assert(
      fc.property(soundStreams({ maxChoices: 80 }), (stream) => prove(stream, fold(stream))),
      { numRuns: runs(200) },
    )
  const partsIn = (view: View, taskId: string): PartView[] => {
    const task = taskOf(view, taskId)
    return task === undefined ? [] : partsOf(task)
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
      expect(
        tasksOf(view)
          .map(({ taskId }) => taskId)
          .sort(),
      ).toEqual(idsOf(stream).sort())
      for (const task of tasksOf(view)) {
        const own = stream.filter(({ taskId }) => taskId === task.taskId)
        expect(task.parentTaskId).toBe(own[0]?.parentTaskId ?? null)
        expect(task.updatedAt).toBe(own.at(-1)?.timestamp)
        const children = stream.flatMap((event) =>
          event.kind === 'subtask-created' && event.taskId === task.taskId ? [event.subtaskId] : [],
        )
        expect(vectorItems(task.subtasks)).toEqual(children)
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
          const content = own.flatMap((event) =>
            (event.kind === 'content-delta' || event.kind === 'content-complete') &&
            event.contentId === contentId
              ? [event]
              : [],
          )
          const texts = content.flatMap((event) => (event.kind === 'content-complete' ? [event.content] : []))
          const seen = parts.flatMap((part) =>
            part.type === 'text' && part.contentId === contentId ? [part] : [],
          )
          expect(seen.filter(({ status }) => status === 'complete').map(({ text }) => text)).toEqual(texts)
          const from = content.findLastIndex(({ kind }) => kind === 'content-complete') + 1
          const rest = content
            .slice(from)
            .flatMap((event) => (event.kind === 'content-delta' ? [event.delta] : []))
          const cut = seen.find(({ status }) => status === 'ended')
          expect(cut?.text).toBe(rest.length === 0 ? undefined : rest.join(''))
        }
        const thoughts = own.flatMap((event) => (event.kind === 'thought-stream' ? [event.content] : []))
        const thought = parts.flatMap((part) =>
          part.type === 'thought' && part.status === 'complete' ? [part] : [],
        )
        expect(
          thought
            .toSorted((a, b) => (a.descriptor?.index ?? 0) - (b.descriptor?.index ?? 0))
            .map(({ text }) => text),
        ).toEqual(thoughts)
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
          expect(content?.type === 'rows' ? rowsOf(content) : undefined).toEqual(
            isComplete ? rows : undefined,
          )
        }
        if (event.kind === 'data-write') {
          expect(content).toEqual({ type: 'data', data: (all.at(-1) as typeof event).data })
        }
      }
    })
  })
})

function bytesIn(content: ArtifactContent | undefined): string | undefined {
  if (content?.type === 'text') return Buffer.from(content.text).toString('latin1')
  return content?.type === 'bytes' ? Buffer.from(content.base64, 'base64').toString('latin1') : undefined
}
