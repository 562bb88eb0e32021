// Tests snapshots of one artifact that several tasks write, continue, complete and change in any order.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ContextAnyEvent } from '../../../../src/index.ts'
import { emptyView, foldEvents, snapshotEvents, type View } from '../../../../src/streams/index.ts'
import { runs } from '../../../support/runs.ts'
import { errorsIn } from '../../verify/support.ts'
import { created, events } from '../support.ts'

const tasks = ['a', 'b', 'c']

interface History {
  readonly type: 'text' | 'bytes' | 'rows' | 'data'
  readonly steps: readonly {
    readonly by: string
    readonly what: 'whole' | 'chunk' | 'change' | 'end'
    readonly span: number
    readonly skip: number
    readonly isVersioned: boolean
  }[]
  readonly audience: readonly string[] | undefined
}

const history: fc.Arbitrary<History> = fc.record({
  type: fc.constantFrom('text', 'bytes', 'rows', 'data'),
  steps: fc.array(
    fc.record({
      by: fc.constantFrom(...tasks),
      what: fc.constantFrom('whole', 'whole', 'chunk', 'chunk', 'chunk', 'change', 'change', 'end'),
      span: fc.nat(2),
      skip: fc.nat(1),
      isVersioned: fc.boolean(),
    }),
    { maxLength: 9 },
  ),
  audience: fc.option(fc.constant(['operator']), { nil: undefined }),
})

/** The legal stream of a history: steps that would break a rule are left out. */
function streamOf({ type, steps, audience }: History): ContextAnyEvent[] {
  const stream: object[] = tasks.map((taskId) => ({ ...created, taskId }))
  const ended = new Set<string>()
  let [version, next] = [0, 0]
  let writer: string | undefined
  let pendingVersion: number | undefined
  for (const [n, { by, what, span, skip, isVersioned }] of steps.entries()) {
    if (ended.has(by)) continue
    const label = audience === undefined ? {} : { metadata: { audience } }
    const base = { taskId: by, artifactId: 'x', ...label }
    if (what === 'end') {
      ended.add(by)
      stream.push({ kind: 'task-status', taskId: by, status: 'completed' })
      if (writer === by) [next, writer, pendingVersion] = [0, undefined, undefined]
    } else if (what === 'change') {
      if (version === 0 || type === 'bytes') continue
      const change =
        type === 'text'
          ? { type: 'text-append', text: `${n}` }
          : type === 'rows'
            ? { type: 'rows-append', rows: [{ n }] }
            : { type: 'merge-patch', patch: { n } }
      // The version that is being written stays a later one.
      if (pendingVersion !== undefined && version + 1 + skip >= pendingVersion) continue
      stream.push({
        ...base,
        kind: 'artifact-delta',
        baseVersion: version,
        version: version + 1 + skip,
        change,
      })
      version += 1 + skip
    } else if (type === 'data') {
      version += 1 + (isVersioned ? skip : 0)
      stream.push({ ...base, kind: 'data-write', data: { n }, ...(isVersioned ? { version } : {}) })
    } else {
      const complete = what === 'whole'
      if (isVersioned && next === 0) pendingVersion = version + 1 + skip * 3
      const stated = pendingVersion === undefined ? {} : { version: pendingVersion }
      const chunk = {
        ...base,
        index: next,
        ...(span > 0 ? { indexEnd: next + span } : {}),
        complete,
        ...stated,
      }
      const encoding = type === 'bytes' ? { encoding: 'base64' } : {}
      const data = type === 'bytes' ? 'YWI=' : `${n}`
      if (type === 'rows') stream.push({ ...chunk, kind: 'dataset-write', rows: [{ n }] })
      else
        stream.push({ ...chunk, kind: 'file-write', data, ...encoding, ...(next === 0 ? { name: 'x' } : {}) })
      writer = complete ? undefined : by
      next = complete ? 0 : next + span + 1
      if (!complete) continue
      version = pendingVersion ?? version + 1
      pendingVersion = undefined
    }
  }
  return events(...stream)
}

/** What a snapshot restores. */
function restored({ contextId, tasks, artifacts }: View): object {
  return { contextId, tasks: tasks.map((task) => ({ ...task, updatedAt: null })), artifacts }
}

it('folds to the view of the stream, also before the rest of it, and breaks no further rule', () => {
  fc.assert(
    fc.property(history, fc.nat(), (some, n) => {
      const stream = streamOf(some)
      const at = n % (stream.length + 1)
      const view = foldEvents(emptyView, stream.slice(0, at))
      const snapshot = snapshotEvents(view)
      expect(restored(foldEvents(emptyView, snapshot))).toEqual(restored(view))
      const whole = foldEvents(emptyView, [...snapshot, ...stream.slice(at)])
      expect(restored(whole)).toEqual(restored(foldEvents(view, stream.slice(at))))
      const before = new Set(errorsIn(stream.slice(0, at)).map(({ rule }) => rule))
      // A view does not state whether a task had ended before another one began to write again.
      if (view.diagnostics.length > 0) before.add('one-write')
      expect(errorsIn(snapshot).filter(({ rule }) => !before.has(rule))).toEqual([])
    }),
    { numRuns: runs(400) },
  )
})
