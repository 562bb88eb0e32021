// Values that look like others, and changes of artifacts that have another version.
import { expect, it } from 'vitest'
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { emptyView, foldEvents } from '../../../src/streams/index.ts'
import { runFromA2a, runToA2a, versions } from './support.ts'

const ids = { contextId: 'c', taskId: 't', timestamp: '2026-03-04T05:06:07Z' }

it.each(versions)('A2A %s has no metadata of an artifact whose metadata is empty', (version) => {
  const events = [
    { ...ids, kind: 'task-created', initiator: 'user' },
    { ...ids, kind: 'data-write', artifactId: 'a', data: { n: 1 }, metadata: {} },
  ] as ContextAnyEvent[]
  const { out } = runToA2a(events, { version }, 'open')
  expect(JSON.stringify(out)).toContain('"n":1')
  expect(JSON.stringify(out)).not.toContain('metadata')
})

it.each([
  ['of 0.3 is read as it is', { kind: 'data' }, { data: { n: 1 } }],
  ['with a media type is read as it is', { mediaType: 'application/json' }, { data: { n: 1 } }],
  ['in the REST form of 0.3 is wrapped once more', {}, { n: 1 }],
])('data %s', (_, fields, data) => {
  const part = { ...fields, data: { data: { n: 1 } } }
  const update = {
    taskId: 't',
    contextId: 'c',
    lastChunk: true,
    artifact: { artifactId: 'a', parts: [part] },
  }
  const { out } = runFromA2a([{ artifactUpdate: update }])
  expect(out).toContainEqual(expect.objectContaining({ kind: 'data-write', data }))
})

it.each([
  [undefined, 1],
  [4, 4],
] as const)(
  'a change of another version than the record with version %s is dropped, as views do',
  (version, is) => {
    const record = {
      ...ids,
      kind: 'data-write',
      artifactId: 'a',
      data: { n: 1 },
      ...(version && { version }),
    }
    const change = (baseVersion: number): ContextAnyEvent =>
      ({
        ...ids,
        kind: 'artifact-delta',
        artifactId: 'a',
        baseVersion,
        version: baseVersion + 1,
        change: { type: 'merge-patch', patch: { n: 2 } },
      }) as ContextAnyEvent
    const created = { ...ids, kind: 'task-created', initiator: 'user' }
    for (const base of [is, is + 6]) {
      const events = [created, record, change(base)] as ContextAnyEvent[]
      const { artifacts } = foldEvents(emptyView, events)
      const shown = artifacts[0]?.committed?.content
      const { out, diagnostics } = runToA2a(events, { version: '1.0' }, 'open')
      expect(out.filter((item) => 'artifactUpdate' in item)).toHaveLength(base === is ? 2 : 1)
      expect(shown).toMatchObject({ data: { n: base === is ? 2 : 1 } })
      expect(diagnostics.some(({ code }) => code === 'dropped:artifact-delta')).toBe(base !== is)
    }
  },
)
