// What chunks state of a call reaches its events, from whichever chunk, and the page again.
import { expect, it } from 'vitest'
import {
  fromUiMessageStream,
  toUiMessageStream,
  type UiMessageChunk,
} from '../../../src/dialects/ai-sdk/index.ts'
import type { ContextAnyEvent } from '../../../src/index.ts'
import type { Audience } from '../../../src/streams/index.ts'
import { resultsOf } from '../../support/mapper-laws.ts'
import { readMessage } from './readers.ts'

const start = { type: 'start', messageId: 'm' }
const call = { toolCallId: 'k', toolName: 'f' }
const request = { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'k' }
const stated = {
  title: 'T',
  toolMetadata: { a: 1 },
  providerMetadata: { openai: { itemId: 'I' } },
  providerExecuted: true,
}
const available = { type: 'tool-input-available', ...call, input: { x: 1 }, ...stated }

const read = (chunks: readonly object[]) =>
  resultsOf(fromUiMessageStream({ now: () => 0 }) as never, chunks as never[])
const eventsOf = (chunks: readonly object[]) =>
  read(chunks).flatMap(({ out }) => out) as readonly ContextAnyEvent[]
const codesOf = (chunks: readonly object[]) =>
  read(chunks).flatMap(({ diagnostics }) => diagnostics.map(({ code, detail }) => [code, detail]))

it.each<[string, readonly object[]]>([
  ['waits for approval', []],
  ['was denied', [{ type: 'tool-approval-response', approvalId: 'a', approved: false }]],
  ['was approved', [{ type: 'tool-approval-response', approvalId: 'a', approved: true }]],
])('the page has the fields of a call that %s', (_, answers) => {
  const events = eventsOf([start, available, request, ...answers, { type: 'finish' }])
  const written = resultsOf(toUiMessageStream() as never, events as never[])
  const chunks = written.flatMap(({ out }) => out) as readonly { type: string }[]
  expect(chunks.filter(({ type }) => type === 'tool-input-available')).toMatchObject([available])
  const lost = written.flatMap(({ diagnostics }) => diagnostics.map(({ path }) => path))
  expect(lost).not.toContain('/metadata')
})

it('the signature of a call that waits for approval is a signature of the request', () => {
  const signed = { ...available, providerMetadata: { google: { thoughtSignature: 's' } } }
  const asked = eventsOf([start, signed, request]).find(({ kind }) => kind === 'input-required')
  expect(asked).toMatchObject({ metadata: { signature: 's', aiSdk: { call: { provider: 'provider' } } } })
  expect(JSON.stringify(asked)).not.toMatch(/"s".*"s"/)
})

it('the last chunk about an input counts, and what it replaces is reported', () => {
  const begun = {
    type: 'tool-input-start',
    ...call,
    title: 'A',
    providerMetadata: { p: { a: 1 }, q: { b: 1 } },
  }
  const ended = {
    type: 'tool-input-available',
    ...call,
    input: {},
    title: 'B',
    providerMetadata: { p: { c: 1 } },
  }
  const chunks = [start, begun, { ...ended, toolName: 'g' }, { type: 'finish' }]
  expect(eventsOf(chunks).find(({ kind }) => kind === 'tool-start')).toMatchObject({
    toolName: 'f',
    metadata: { aiSdk: { title: 'B', providerMetadata: { p: { a: 1, c: 1 }, q: { b: 1 } } } },
  })
  expect(codesOf(chunks)).toContainEqual(['lossy:title', 'A'])
  expect(codesOf(chunks)).toContainEqual(['lossy:toolName', 'g'])
  const failed = { type: 'tool-input-error', toolCallId: 'k', toolName: 'g', input: {}, errorText: 'E' }
  expect(codesOf([start, begun, failed])).toContainEqual(['lossy:toolName', 'g'])
})

it('the output of a call answers the requests about it, in their order', () => {
  const requests = ['a', 'b', 'c'].map((approvalId) => ({ ...request, approvalId }))
  const declined = { type: 'tool-approval-response', approvalId: 'b', approved: false }
  const output = { type: 'tool-output-available', toolCallId: 'k', output: 1 }
  const events = eventsOf([start, available, ...requests, declined, output, output, { type: 'finish' }])
  const answered = events.flatMap((event) => (event.kind === 'input-received' ? [event.inputId] : []))
  expect(answered).toEqual(['b', 'a', 'c'])
})

it('the state of many open requests is bounded', () => {
  const machine = fromUiMessageStream({ now: () => 0 })
  let { state } = machine.step(machine.initial, start)
  const sizeAfter = (from: number, to: number): number => {
    for (let i = from; i < to; i++) {
      state = machine.step(state, { ...available, toolCallId: `k${i}` }).state
      state = machine.step(state, { ...request, toolCallId: `k${i}`, approvalId: `a${i}` }).state
    }
    return JSON.stringify(state).length
  }
  const size = sizeAfter(0, 2 * 4096)
  expect(sizeAfter(2 * 4096, 3 * 4096)).toBeLessThan(1.1 * size)
})

it.each<[string, object]>([
  ['the call', { toolCall: { id: 'k', index: 3, function: { name: 'f', arguments: '{}' } } }],
  ['its function', { toolCall: { id: 'k', function: { name: 'f', arguments: '{}', strict: true } } }],
])('an unknown member of %s to approve is reported', (_, metadata) => {
  const place = { contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:30:00Z' }
  const asked = {
    kind: 'input-required',
    inputId: 'i',
    inputType: 'tool-execution',
    prompt: 'p',
    requireUser: true,
  }
  const codesFor = (audience: Audience): string[] => {
    const writer = toUiMessageStream({ viewer: { audience } })
    const [step] = resultsOf(writer as never, [{ ...place, ...asked, metadata }] as never[])
    return (step?.diagnostics ?? []).map(({ code }) => code)
  }
  expect(codesFor('operator')).toContain('lossy:metadata')
  expect(codesFor('user')).toContain('hidden:metadata')
})

it.each([5, 6, 7] as const)(
  'is one part, whatever begins while its input is streamed, in version %i',
  async (version) => {
    const context = { contextId: 'c', taskId: 't', timestamp: '2026-01-01T00:00:00Z' }
    const named = { toolCallId: 'k', toolName: 'f' }
    const events = [
      { kind: 'tool-arguments-delta', ...named, delta: '{"x":', index: 0, iteration: 0 },
      { kind: 'content-complete', content: 'Next.', iteration: 1 },
      { kind: 'tool-start', ...named, arguments: { x: 1 }, iteration: 0 },
    ].map((event) => ({ ...context, ...event }))
    const chunks = resultsOf(toUiMessageStream({ version }) as never, events as never[]).flatMap(
      ({ out }) => out,
    )
    const { message } = await readMessage(version, chunks as readonly UiMessageChunk[])
    expect(message?.parts.filter(({ toolCallId }) => toolCallId === 'k')).toHaveLength(1)
  },
)
