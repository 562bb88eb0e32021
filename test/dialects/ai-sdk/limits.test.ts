// What the mappers keep and compare has limits, and each is exact.
import { describe, expect, it } from 'vitest'
import { fromUiMessageStream, toUiMessageStream } from '../../../src/dialects/ai-sdk/index.ts'
import { type StepChunks, withChunk } from '../../../src/dialects/ai-sdk/to/step-chunks.ts'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { extentOf } from '../../../src/json/extent.ts'
import { inputsUntilEvicted, resultsOf } from '../../support/mapper-laws.ts'

const place = { contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:30:00Z' }
const created = { kind: 'task-created', initiator: 'user' }
const call = { toolCallId: 'k', toolName: 'pay' }

function read(chunks: readonly object[]) {
  return resultsOf(fromUiMessageStream({ now: () => 0 }) as never, chunks as never[])
}

function write(events: readonly object[]) {
  const all = [created, ...events].map((event) => ({ ...place, ...event }))
  return resultsOf(toUiMessageStream({ viewer: { audience: 'operator' } }) as never, all as never[])
}

describe('the texts of a step', () => {
  const textOf = (id: string, delta: string) => ({ type: 'text-delta' as const, id, delta })

  it.each([0, 1])('are kept up to 1 Mi characters each: %i more', (more) => {
    const pieces = [textOf('a', 'x'.repeat(1 << 20)), textOf('b', 'x'.repeat(1 << 20)), textOf('b', 'x')]
    const kept = pieces.slice(0, 2 + more).reduce<StepChunks>(withChunk, [])
    expect(kept?.length).toBe(more > 0 ? undefined : 2)
  })

  it.each([0, 1])('are kept if they are 192 chunks: %i more', (more) => {
    const chunks = Array.from({ length: 192 + more }, (_, i) => textOf(`${i}`, 'x'))
    expect(chunks.reduce<StepChunks>(withChunk, [])?.length).toBe(more > 0 ? undefined : 192)
  })
})

describe('the reader', () => {
  it('keeps 1024 items of a sort', () => {
    const inputOf = (i: number) => ({ type: 'data-x', id: `a${i}`, data: {} })
    expect(inputsUntilEvicted(fromUiMessageStream({ now: () => 0 }) as never, inputOf)).toBe(2 * 1024 + 1)
  })

  it.each([0, 1])('ends a segment before it has more than 1 Mi characters: %i more', (more) => {
    const delta = 'x'.repeat((1 << 20) - 1 + more)
    const steps = read([
      { type: 'start', messageId: 'm' },
      { type: 'text-start', id: 'a' },
      { type: 'text-delta', id: 'a', delta },
      { type: 'text-delta', id: 'a', delta: 'y' },
    ])
    const kinds = steps.map(({ out }) => (out as ContextAnyEvent[]).map(({ kind }) => kind))
    expect(kinds[3]).toEqual([...(more > 0 ? ['content-complete'] : []), 'content-delta'])
    expect(steps[3]?.out.at(-1)).toMatchObject({ delta: 'y', index: more > 0 ? 0 : 1, contentId: 'a' })
  })

  it('names a tool that has no name, as events need one', () => {
    const nameless = { toolCallId: 'k', toolName: '' }
    const steps = read([
      { type: 'start', messageId: 'm' },
      { type: 'tool-input-start', ...nameless },
      { type: 'tool-input-delta', toolCallId: 'k', inputTextDelta: '{}' },
      { type: 'tool-input-available', ...nameless, input: {} },
      { type: 'tool-output-available', toolCallId: 'k', output: 1 },
    ])
    expect(steps.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code)).slice(0, 1)).toEqual([
      'inferred:toolName',
    ])
    const calls = steps.flatMap(({ out }) => out as { kind: string; toolName?: string }[]).slice(2)
    expect(calls.map(({ kind, toolName }) => [kind, toolName])).toEqual([
      ['tool-arguments-delta', 'unknown'],
      ['tool-start', 'unknown'],
      ['tool-complete', 'unknown'],
    ])
  })

  it.each([0, 1])('compares streamed arguments of 1 Mi characters with the whole: %i more', (more) => {
    const text = `{"a":"${'x'.repeat((1 << 20) - 8 + more)}"}`
    const steps = read([
      { type: 'start', messageId: 'm' },
      { type: 'tool-input-start', ...call },
      { type: 'tool-input-delta', toolCallId: 'k', inputTextDelta: text },
      { type: 'tool-input-available', ...call, input: { a: 1 } },
    ])
    const codes = steps[3]?.diagnostics.map(({ code }) => code)
    expect(codes).toEqual(more > 0 ? [] : ['lossy:input'])
  })

  it.each([0, 1])('continues an output of 1 Mi characters: %i more', (more) => {
    const output = 'x'.repeat((1 << 20) + more)
    const steps = read([
      { type: 'start', messageId: 'm' },
      { type: 'tool-input-available', ...call, input: {} },
      { type: 'tool-output-available', toolCallId: 'k', output, preliminary: true },
      { type: 'tool-output-available', toolCallId: 'k', output: `${output}y`, preliminary: true },
    ])
    const chunk = more > 0 ? `${output}y` : 'y'
    expect(steps[3]?.out).toMatchObject([{ kind: 'tool-progress', metadata: { chunk } }])
  })
})

describe('the writer', () => {
  it.each([0, 1])('sends a file of 8 Mi characters: %i more', (more) => {
    const data = 'x'.repeat(8 * 1024 * 1024 + more)
    const [, step] = write([{ kind: 'file-write', artifactId: 'f', data, index: 0, complete: true }])
    expect(step?.out).toHaveLength(1 - more)
    expect(step?.diagnostics.some(({ code }) => code === 'dropped:file-write')).toBe(more > 0)
  })

  it.each([0, 1])('sends 64 Ki characters of output, and the last 32 Ki of more: %i more', (more) => {
    const chunk = `${'x'.repeat(65_535 + more)}y`
    const steps = write([
      { kind: 'tool-start', ...call, arguments: {} },
      { kind: 'tool-progress', toolCallId: 'k', progress: 0, metadata: { chunk } },
    ])
    const output = more > 0 ? chunk.slice(-32_768) : chunk
    expect(steps[2]?.out).toMatchObject([{ type: 'tool-output-available', output }])
  })

  it.each([0, 1])('keeps a cut-off input of 1 Mi characters: %i more', (more) => {
    const first = 'x'.repeat((1 << 20) - 1 + more)
    const piece = { kind: 'tool-arguments-delta', ...call }
    const steps = write([
      { ...piece, delta: first, index: 0 },
      { ...piece, delta: 'y', index: 1 },
      { kind: 'tool-complete', ...call, success: false },
    ])
    const input = more > 0 ? '' : `${first}y`
    expect(steps[3]?.out).toMatchObject([{ type: 'tool-input-error', input }])
  })

  it('reports 32 fields of an event of a subtask', () => {
    const fields = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`x-${i}`, i]))
    const event = { kind: 'content-complete', content: 'x', ...fields, taskId: 's', parentTaskId: 't' }
    expect(write([event])[1]?.diagnostics).toHaveLength(32)
  })

  const appended = { type: 'text-append', text: 'y' }
  const sizeOf = (value: unknown): number => extentOf(value)?.size ?? 0
  // A file has no record, which counts as null.
  const most = 262_144 + sizeOf(appended) - sizeOf(null)
  const changed = (artifactId: string, size: number): object[] => [
    { kind: 'file-write', artifactId, data: 'x'.repeat(size - 1), index: 0, complete: true },
    { kind: 'artifact-delta', artifactId, baseVersion: 1, version: 2, change: appended },
  ]
  /** How many events after its change a file is sent, or at the end; others follow, and one of 9999 characters was sent before. */
  function sentAfter(size: number): number {
    const others = Array.from({ length: 9 }, () => ({ kind: 'custom', name: 'a.b', data: 1 }))
    const steps = write([...changed('before', 9999), ...changed('f', size), ...others])
    const isFile = (chunk: unknown): boolean => (chunk as { type: string }).type === 'file'
    return steps.findLastIndex(({ out }) => out.some(isFile)) - 4
  }

  it('sends a changed file at once up to 256 Ki characters in proportion to the events', () => {
    const credit = most - 9999 + 2 * 256 + sizeOf(appended) - sizeOf(null)
    expect([0, 1, 256, 257, 512, 513].map((more) => sentAfter(credit + more))).toEqual([0, 1, 1, 2, 2, 3])
  })

  it('sends the first changed file at once up to 256 Ki characters and the size of its change', () => {
    const isFile = (chunk: unknown): boolean => (chunk as { type: string }).type === 'file'
    const sent = [most, most + 1].map((size) => write(changed('f', size))[2]?.out.some(isFile))
    expect(sent).toEqual([true, false])
  })
})
