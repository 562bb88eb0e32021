// Proves that a snapshot is the task that the stream leads to.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { a2aExtensionUri, a2aSnapshot, demuxTasks, toA2a } from '../../../src/dialects/a2a/index.ts'
import type { ContextAnyEvent } from '../../../src/events/event.ts'
import { legalStreams } from '../../support/legal-streams.ts'
import { expectTotal } from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'
import { closeTexts, runToA2a, throughJson, versions } from './support.ts'

type Fields = Record<string, unknown>

/** A task as a client keeps it: its status, and its artifacts by id. */
interface Kept {
  status: unknown
  artifacts: Record<string, unknown>
}

/** What a client makes of the items of one task: appended parts follow the others, everything else is replaced. */
function fold(items: readonly unknown[]): Kept {
  const kept: Kept = { status: undefined, artifacts: {} }
  for (const item of items as Fields[]) {
    const value = (item.kind === undefined ? Object.values(item)[0] : item) as Fields
    if (value.status !== undefined) kept.status = value.status
    if (value.artifacts !== undefined) kept.artifacts = byId(value.artifacts as Fields[])
    if (value.artifact === undefined) continue
    const artifact = value.artifact as Fields
    const id = String(artifact.artifactId)
    const before = kept.artifacts[id] as Fields | undefined
    kept.artifacts[id] =
      value.append === true && before !== undefined
        ? { ...before, parts: [...(before.parts as unknown[]), ...(artifact.parts as unknown[])] }
        : artifact
  }
  return kept
}

function byId(artifacts: readonly Fields[]): Record<string, unknown> {
  return Object.fromEntries(artifacts.map((artifact) => [String(artifact.artifactId), artifact]))
}

/** The same with one text for neighboring ones, and without empty ones. */
function joined({ status, artifacts }: Kept): Kept {
  const entries = Object.entries(artifacts).map(([id, artifact]) => {
    const parts: Fields[] = []
    for (const part of (artifact as { parts: Fields[] }).parts) {
      const last = parts.at(-1)
      if (typeof part.text !== 'string') parts.push(part)
      else if (typeof last?.text === 'string') parts.splice(-1, 1, { ...last, text: last.text + part.text })
      else if (part.text !== '') parts.push(part)
    }
    return [id, { ...(artifact as object), parts }]
  })
  return { status, artifacts: Object.fromEntries(entries) }
}

describe.each(versions)('a snapshot of A2A %s', (version) => {
  it('is the task that the stream leads to, at any point', () => {
    fc.assert(
      fc.property(
        legalStreams({ subtasks: false, ended: false }),
        fc.boolean(),
        fc.constantFrom(...closeTexts),
        fc.nat(),
        (events, extension, closeText, at) => {
          const cut = events.slice(0, 1 + (at % events.length))
          const { out, state } = runToA2a(cut, { version, extension, closeText }, 'open')
          if (out.length === 0) return
          const { status, artifacts = [] } = throughJson(a2aSnapshot(state as never)) as unknown as Fields
          const snapshot = { status, artifacts: byId(artifacts as Fields[]) }
          expect(joined(snapshot)).toEqual(joined(fold(out)))
        },
      ),
      { numRuns: runs(150) },
    )
  })

  it('carries the last events that fit in 1 to 2 Mi characters, and one that is longer', () => {
    const ids = { contextId: 'c', taskId: 't', timestamp: '2026-03-04T05:06:07Z' }
    const text = (length: number, contentId: string): object => ({
      ...ids,
      kind: 'content-complete',
      contentId,
      content: 'x'.repeat(length),
    })
    const carried = (...texts: readonly object[]): unknown[] => {
      const events = [{ ...ids, kind: 'task-created', initiator: 'user' }, ...texts] as ContextAnyEvent[]
      const { state } = runToA2a(events, { version, extension: true }, 'open')
      const { metadata } = a2aSnapshot(state as never) as unknown as { metadata: Record<string, Fields> }
      const all = metadata[a2aExtensionUri]?.events as { kind: string; contentId?: string }[]
      return all.map(({ kind, contentId = kind }) => contentId)
    }
    const mebi = 1024 * 1024
    expect(carried(text(mebi, 'a'), text(mebi / 2, 'b'))).toEqual(['task-created', 'a', 'b'])
    expect(carried(text(1.5 * mebi, 'a'), text(1.5 * mebi, 'b'))).toEqual(['b'])
    expect(carried(text(0.6 * mebi, 'a'), text(0.6 * mebi, 'b'), text(0.9 * mebi, 'c'))).toEqual(['b', 'c'])
  })

  it('has the current version of a record, a file and a dataset when the task ends', () => {
    const ids = { contextId: 'c', taskId: 't', timestamp: '2026-03-04T05:06:07Z' }
    const change = (artifactId: string, by: object): object => ({
      kind: 'artifact-delta',
      artifactId,
      baseVersion: 1,
      version: 2,
      change: by,
      ...ids,
    })
    const chunk = { index: 0, complete: true, version: 1, ...ids }
    const events = [
      { kind: 'data-write', artifactId: 'r', data: { a: 1 }, version: 1, ...ids },
      { kind: 'file-write', artifactId: 'f', data: 'one', ...chunk },
      { kind: 'dataset-write', artifactId: 's', rows: [{ n: 1 }], ...chunk },
      change('r', { type: 'merge-patch', patch: { a: 2 } }),
      change('f', { type: 'text-append', text: ' two' }),
      change('s', { type: 'rows-append', rows: [{ n: 2 }] }),
      { kind: 'task-complete', ...ids },
    ] as unknown as ContextAnyEvent[]
    const { artifacts = [] } = a2aSnapshot(runToA2a(events, { version }).state as never) as unknown as Fields
    const parts = (artifacts as { artifactId: string; parts: unknown[] }[]).map(
      ({ artifactId, parts: own }) => [artifactId, JSON.stringify(own)],
    )
    expect(parts).toEqual([
      ['r', expect.stringContaining('"a":2')],
      ['f', expect.stringMatching(/b25l.*IHR3bw==/)],
      ['s', expect.stringMatching(/"n":1.*"n":2/)],
    ])
  })
})

describe('any JSON value', () => {
  const streams = legalStreams({ maxChoices: 10 })
  it.each(versions)('is taken by the writer of A2A %s', (version) => {
    expectTotal(() => toA2a({ version, extension: true }) as never, streams)
  })
  it('is taken by demuxTasks', () => {
    expectTotal(() => demuxTasks(toA2a({ version: '1.0' })) as never, streams)
    expectTotal(() => demuxTasks() as never, streams)
  })
})
