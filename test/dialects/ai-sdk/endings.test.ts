// The ends of texts and messages that differ from what was sent before them.
import { expect, it } from 'vitest'
import { fromUiMessageStream, toUiMessageStream } from '../../../src/dialects/ai-sdk/index.ts'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { resultsOf } from '../../support/mapper-laws.ts'

const place = { contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:30:00Z' }

it('adds nothing to a text whose end differs inside a surrogate pair', () => {
  const events = [
    { ...place, kind: 'task-created', initiator: 'user' },
    { ...place, kind: 'content-delta', delta: 'ab', index: 0 },
    { ...place, kind: 'content-complete', content: 'a😀' },
  ] as ContextAnyEvent[]
  const { out, diagnostics } = resultsOf(toUiMessageStream() as never, events)[2] ?? {}
  expect(out).toEqual([{ type: 'text-end', id: expect.any(String) }])
  expect(diagnostics?.map(({ code }) => code)).toEqual(['lossy:content'])
})

it('completes a message that ends without the output of a call that the page was to run', () => {
  const chunks = [
    { type: 'start', messageId: 't' },
    { type: 'tool-input-available', toolCallId: 'call', toolName: 'locate', input: {} },
    { type: 'finish', finishReason: 'tool-calls' },
    { type: 'start', messageId: 't' },
    { type: 'finish', finishReason: 'stop' },
  ]
  const steps = resultsOf(fromUiMessageStream() as never, chunks as never[])
  const { out = [], diagnostics = [] } = steps[4] ?? {}
  const kinds = (out as ContextAnyEvent[]).map(({ kind }) => kind)
  expect(kinds).toEqual(['input-canceled', 'tool-complete', 'task-status', 'task-complete'])
  expect(diagnostics.map(({ code }) => code)).toEqual(['inferred:input-canceled', 'inferred:tool-complete'])
})
