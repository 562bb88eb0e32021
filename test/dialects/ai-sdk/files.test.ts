// Files that arrive in chunks.
import fc from 'fast-check'
import { run } from 'turnstream'
import { fromA2a } from 'turnstream/a2a'
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

/** Addresses as a foreign agent may spell them. */
const address = fc
  .tuple(
    fc.constantFrom('', ' ', '\u0001', '\t'),
    fc.mixedCase(fc.constantFrom('javascript:', 'vbscript:', 'file:', 'blob:', 'app:', 'https:', 'data:')),
    fc.constantFrom('//x.example/', 'alert(1)', ','),
  )
  .map((parts) => parts.join(''))
const of = { taskId: 't', contextId: 'c' }
const protocolOf = (url = ''): string => new URL(url, 'https://page.example').protocol

it('link to no address that runs code or opens an app, however a foreign agent spells it', () => {
  fc.assert(
    fc.property(address, (url) => {
      const parts = [{ url, mediaType: 'image/png' }]
      const read = run(fromA2a({ now: () => 0 })).push({
        artifactUpdate: { ...of, artifact: { artifactId: 'a', parts } },
      })
      expect(read.some(({ kind }) => kind === 'file-write')).toBe(true)
      const out = resultsOf(toUiMessageStream() as never, read).flatMap((result) => result.out)
      const [file] = (out as { type: string; url: string }[]).filter(({ type }) => type === 'file')
      expect(protocolOf(file?.url)).toMatch(/^(https|data):$/)
      if (/^(https|data):/i.test(url)) expect(file?.url).toBe(url)
      if (file?.url !== url) expect(atob(file?.url.split('base64,')[1] ?? '')).toBe(url)
    }),
    { numRuns: runs(200) },
  )
})

it('and texts cite no such address, but keep it', () => {
  fc.assert(
    fc.property(address, (url) => {
      const text = { kind: 'content-complete', content: 'x', ...of, timestamp: '2026-01-01T00:00:00Z' }
      const event = { ...text, metadata: { sources: [{ url, documentId: 'd' }] } } as ContextAnyEvent
      const out = resultsOf(toUiMessageStream() as never, [event]).flatMap((result) => result.out)
      const sources = (out as { type: string; url?: string }[]).filter(({ type }) =>
        type.startsWith('source-'),
      )
      expect(sources).toHaveLength(1)
      expect(protocolOf(sources[0]?.url)).toMatch(/^(https|data):$/)
      if (/^(https|data):/i.test(url)) expect(sources).toMatchObject([{ type: 'source-url', url }])
      expect(
        JSON.stringify(out.filter((chunk) => (chunk as { type: string }).type === 'text-end')),
      ).toContain(JSON.stringify(url))
    }),
    { numRuns: runs(200) },
  )
})
