// Files that arrive in chunks.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toUiMessageStream } from '../../../src/dialects/ai-sdk/index.ts'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { resultsOf } from '../../support/mapper-laws.ts'
import { runs } from '../../support/runs.ts'

const place = { contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:30:00Z' }

it('arrive with all their bytes, wherever they are cut', () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 8 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(chunks, (chunks) => {
      const events = chunks.map((bytes, index) => ({
        ...place,
        kind: 'file-write',
        artifactId: 'f',
        encoding: 'base64',
        mimeType: 'image/png',
        data: Buffer.from(bytes).toString('base64'),
        index,
        complete: index === chunks.length - 1,
      }))
      const all = [{ ...place, kind: 'task-created', initiator: 'user' }, ...events] as ContextAnyEvent[]
      const out = resultsOf(toUiMessageStream() as never, all).flatMap((result) => result.out)
      const { url } = (out as { type: string; url: string }[]).find(({ type }) => type === 'file') ?? {}
      expect(url).toBe(`data:image/png;base64,${Buffer.concat(chunks).toString('base64')}`)
    }),
    { numRuns: runs(200) },
  )
})

it('do not go on as datasets, nor datasets as files', () => {
  const file = { kind: 'file-write', artifactId: 'a', data: 'x', index: 0, complete: false }
  const rows = { kind: 'dataset-write', artifactId: 'a', rows: [{ a: 1 }], index: 1, complete: true }
  const dataset = { ...rows, index: 0, complete: false }
  const more = { ...file, index: 1, complete: true }
  const created = { ...place, kind: 'task-created', initiator: 'user' }
  for (const [first, second] of [
    [file, rows],
    [dataset, more],
  ]) {
    const events = [created, { ...place, ...first }, { ...place, ...second }] as ContextAnyEvent[]
    const codes = resultsOf(toUiMessageStream() as never, events).flatMap(({ diagnostics }) =>
      diagnostics.map(({ code }) => code),
    )
    expect(codes).toContain('gap')
  }
})
