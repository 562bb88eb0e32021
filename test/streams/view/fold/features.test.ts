// Tests what a view shows of patches and of unfinished arguments if the code for them is not passed in.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContextAnyEvent } from '../../../../src/index.ts'
import { partialJson } from '../../../../src/json/index.ts'
import {
  applyArtifactPatch,
  artifactOf,
  createViewStore,
  createViewStoreWith,
  emptyView,
  foldEvent,
  snapshotEvents,
  type View,
} from '../../../../src/streams/index.ts'
import type { ViewFeatures } from '../../../../src/streams/view/fold/features.ts'
import { runs } from '../../../support/runs.ts'
import { deltaStreams, fold, soundStreams, strayStreams } from '../../verify/support.ts'
import { context, created, events, labelled, record } from '../support.ts'

const artifactPatches = applyArtifactPatch
const partialArguments = partialJson()

const subsets = fc.record<ViewFeatures>(
  { artifactPatches: fc.constant(artifactPatches), partialArguments: fc.constant(partialArguments) },
  { requiredKeys: [] },
)

/** Records that are written whole, and patched: most of them at the right version. */
const patchStreams: fc.Arbitrary<ContextAnyEvent[]> = fc
  .array(
    fc.record({
      id: fc.constantFrom('f', 'g'),
      task: fc.constantFrom('task', 'task', 'other'),
      type: fc.constantFrom('write', 'json', 'json', 'merge', 'merge', 'text'),
      jump: fc.constantFrom(0, 0, 0, 0, 1, -1),
      states: fc.boolean(),
    }),
    { maxLength: 25 },
  )
  .map((steps) => {
    const versions = new Map<string, number>()
    return steps.map(({ id: artifactId, task: taskId, type, jump, states }, n) => {
      const version = versions.get(artifactId) ?? 0
      const stated = version + jump
      if (type === 'write') {
        versions.set(artifactId, version + 1)
        const expected = states ? { expectedVersion: Math.max(0, stated) } : {}
        return record({ n }, { ...context, artifactId, taskId, ...expected }) as ContextAnyEvent
      }
      const change =
        type === 'json'
          ? { type: 'json-patch', patch: [{ op: 'add', path: `/k${n}`, value: n }] }
          : type === 'merge'
            ? { type: 'merge-patch', patch: { [`k${n}`]: n } }
            : { type: 'text-append', text: 'a' }
      if (jump === 0 && type !== 'text') versions.set(artifactId, version + 1)
      const delta = { artifactId, baseVersion: Math.max(0, stated), version: Math.max(0, stated) + 1, change }
      return { kind: 'artifact-delta', ...context, taskId, ...delta } as ContextAnyEvent
    })
  })

const anyStream = labelled(fc.oneof(patchStreams, patchStreams, deltaStreams, strayStreams, soundStreams()))

/**
 * The view with the features, by that of {@link foldEvent}, and how often an artifact falls behind. `undefined` if a patch
 * failed, as nobody without the code knows, or if diagnostics may have been dropped.
 */
function viewWith(
  features: ViewFeatures,
  stream: readonly ContextAnyEvent[],
): { readonly view: View; readonly ignored: number } | undefined {
  let view = emptyView
  /** The last whole versions of artifacts that have been patched since. */
  const behind = new Map<string, NonNullable<View['artifacts'][number]['committed']>>()
  let ignored = 0
  for (const event of stream) {
    const before = view
    view = foldEvent(view, event)
    if (view.diagnostics.some(({ code }) => code === 'patch-failed') || view.diagnostics.length > 30)
      return undefined
    if (features.artifactPatches !== undefined || !('artifactId' in event)) continue
    const { artifactId, contextId } = event
    const old = artifactOf(before, artifactId, contextId)?.committed
    const next = artifactOf(view, artifactId, contextId)?.committed
    if (next === old || next === undefined || next.content.type !== 'data') continue
    if (event.kind !== 'artifact-delta') behind.delete(artifactId)
    else if (old !== undefined && !behind.has(artifactId)) {
      behind.set(artifactId, old)
      ignored++
    }
  }
  const shown: View = {
    ...view,
    tasks: view.tasks.map((task) => ({
      ...task,
      parts: task.parts.map((part) => {
        if (
          features.partialArguments !== undefined ||
          part.type !== 'tool' ||
          part.argumentsComplete !== false
        )
          return part
        const { arguments: _, ...rest } = part
        return rest
      }),
    })),
    artifacts: view.artifacts.map((artifact) => {
      const committed = behind.get(artifact.artifactId)
      if (committed === undefined || artifact.committed === undefined) return artifact
      return { ...artifact, committed, latestVersion: artifact.committed.version }
    }),
  }
  return { view: shown, ignored }
}

describe('createViewStoreWith', () => {
  it('has what createViewStore has, but for unfinished arguments and patches of records', () => {
    let compared = 0
    fc.assert(
      fc.property(anyStream, subsets, (stream, features) => {
        const expected = viewWith(features, stream)
        if (expected === undefined) return
        compared++
        const store = createViewStoreWith(features)
        store.push(stream)
        const { diagnostics, ...view } = store.getSnapshot()
        const { diagnostics: others, ...rest } = expected.view
        expect(view).toEqual(rest)
        expect(diagnostics.filter(({ code }) => code !== 'patch-ignored')).toEqual(others)
        expect(diagnostics.length - others.length).toBe(expected.ignored)
      }),
      { numRuns: runs(400) },
    )
    expect(compared).toBeGreaterThan(runs(400) / 2)
  })

  it('is createViewStore with both, also if patches fail', () => {
    fc.assert(
      fc.property(anyStream, (stream) => {
        const store = createViewStoreWith({ artifactPatches, partialArguments })
        store.push(stream)
        expect(store.getSnapshot()).toEqual(fold(stream))
      }),
      { numRuns: runs(100) },
    )
  })
})

describe('an artifact whose patches are not applied', () => {
  const patch = (baseVersion: number, more: object = {}) => ({
    kind: 'artifact-delta',
    artifactId: 'f',
    baseVersion,
    version: baseVersion + 1,
    change: { type: 'merge-patch', patch: { a: baseVersion + 1 } },
    ...more,
  })
  const patched = events(created, record({ a: 1 }), patch(1), patch(2))

  it('keeps its last whole version, with the number of the current one and one diagnostic', () => {
    const store = createViewStoreWith({})
    store.push(patched)
    const view = store.getSnapshot()
    expect(artifactOf(view, 'f')).toMatchObject({
      committed: { version: 1, content: { type: 'data', data: { a: 1 } } },
      latestVersion: 3,
    })
    expect(view.diagnostics).toMatchObject([{ code: 'patch-ignored', kind: 'artifact-delta', id: 'f' }])
  })

  it('is current again once it is written whole, whether the write states a version or which one it replaces', () => {
    for (const more of [{}, { version: 4 }, { expectedVersion: 3 }]) {
      const store = createViewStoreWith({})
      store.push(patched)
      store.push(events(record({ b: 1 }, more)))
      const { artifacts, diagnostics } = store.getSnapshot()
      expect(artifacts[0]?.committed).toEqual({ version: 4, content: { type: 'data', data: { b: 1 } } })
      expect(artifacts[0]).not.toHaveProperty('latestVersion')
      expect(diagnostics).toHaveLength(1)
      store.push(events(patch(4)))
      expect(store.getSnapshot().diagnostics).toHaveLength(2)
    }
  })

  it('stays behind in a view that applies patches, until it is written whole', () => {
    const stored = createViewStoreWith({})
    stored.push(patched)
    const store = createViewStore(JSON.parse(JSON.stringify(stored.getSnapshot())) as View)
    store.push(events(patch(3)))
    expect(artifactOf(store.getSnapshot(), 'f')).toMatchObject({
      committed: { version: 1 },
      latestVersion: 4,
    })
    store.push(events(record({ b: 1 }), patch(5)))
    const { committed, ...rest } = artifactOf(store.getSnapshot(), 'f') ?? {}
    expect(committed).toEqual({ version: 6, content: { type: 'data', data: { b: 1, a: 6 } } })
    expect(rest).not.toHaveProperty('latestVersion')
  })

  it('is written with its last whole version by a snapshot', () => {
    const store = createViewStoreWith({})
    store.push(patched)
    const { latestVersion: _, ...artifact } = artifactOf(store.getSnapshot(), 'f') ?? {}
    expect(artifactOf(fold(snapshotEvents(store.getSnapshot())), 'f')).toEqual(artifact)
  })

  it('has the audience of the patch, and the part of who patched it', () => {
    const audience = ['operator']
    const store = createViewStoreWith({})
    store.push(patched)
    store.push(events({ ...patch(3, { metadata: { audience } }), taskId: 'other' }))
    const view = store.getSnapshot()
    expect(artifactOf(view, 'f')).toMatchObject({ audience, taskId: 'other' })
    expect(view.tasks[1]?.parts).toMatchObject([{ type: 'artifact', status: 'complete', audience }])
  })
})

it('a call has the text of its arguments, and the arguments once it starts', () => {
  const call = { toolCallId: 'c', toolName: 't' }
  const store = createViewStoreWith({ artifactPatches })
  store.push(events({ kind: 'tool-arguments-delta', ...call, delta: '{"a":1}', index: 0 }))
  const part = () => store.getSnapshot().tasks[0]?.parts[0]
  expect(part()).toMatchObject({ status: 'writing', argumentsText: '{"a":1}', argumentsComplete: false })
  expect(part()).not.toHaveProperty('arguments')
  store.push(events({ kind: 'tool-start', ...call, arguments: { a: 1 } }))
  expect(part()).toMatchObject({ status: 'running', arguments: { a: 1 }, argumentsComplete: true })
  expect(store.getSnapshot().diagnostics).toEqual([])
})

describe('applyArtifactPatch', () => {
  const changes = [
    { type: 'json-patch', patch: [{ op: 'add', path: '/b/c', value: 1 }] },
    { type: 'merge-patch', patch: { b: { c: 1 } } },
  ] as const

  it.each(changes)('applies a $type, and changes only what it owns', (change) => {
    const data = { b: {} }
    const owned = new WeakSet<object>()
    const first = applyArtifactPatch(data, change as never, owned)
    expect(first).toEqual({ ok: true, value: { b: { c: 1 } } })
    expect(data).toEqual({ b: {} })
    const again = applyArtifactPatch((first as { value: object }).value, change as never, owned)
    expect((again as { value: object }).value).toBe((first as { value: object }).value)
    expect(applyArtifactPatch(data, change as never)).toEqual(first)
  })
})
