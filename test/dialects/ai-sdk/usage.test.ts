// The tokens of a message are in the events also if it ends as its task waits, and in the message that is made of them.

import fc from 'fast-check'
import { type ContextAnyEvent, run } from 'turnstream'
import { fromUiMessageStream, toUiMessageStream, type UiMessageChunk } from 'turnstream/ai-sdk'
import { expect, it } from 'vitest'
import { runs } from '../../support/runs.ts'

type FinishChunk = Extract<UiMessageChunk, { type: 'finish' }>

/** As the AI SDK states it. */
const usage = fc.record({ inputTokens: fc.nat(999), outputTokens: fc.nat(999) })
type Tokens = { inputTokens: number; outputTokens: number }

const call = { toolCallId: 'call', toolName: 'book' }

const asking = (finish: Partial<FinishChunk>): UiMessageChunk[] => [
  { type: 'start', messageId: 'm' },
  { type: 'start-step' },
  { type: 'tool-input-available', ...call, input: {} },
  { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'call' },
  { type: 'finish-step' },
  { type: 'finish', ...finish },
]

const answering = (messageMetadata: object): UiMessageChunk[] => [
  { type: 'start', messageId: 'm' },
  { type: 'tool-approval-response', approvalId: 'a', approved: true },
  { type: 'start-step' },
  { type: 'tool-output-available', toolCallId: 'call', output: 1 },
  { type: 'finish-step' },
  { type: 'finish', finishReason: 'stop', messageMetadata },
]

const eventsOf = (chunks: readonly UiMessageChunk[]): ContextAnyEvent[] => {
  const { push, end } = run(fromUiMessageStream({ now: () => 0 }))
  return [...chunks.flatMap((chunk) => [...push(chunk)]), ...end()]
}

const usageOf = (events: readonly ContextAnyEvent[], kind: 'task-status' | 'task-complete'): unknown[] =>
  events.flatMap((event) => {
    const usage = event.kind === kind ? event.metadata?.usage : undefined
    return usage === undefined ? [] : [usage]
  })

const sumOf = (a: Tokens, b: Tokens): Tokens => ({
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
})

it('states the tokens of a message that waits, and of all messages at the end', () => {
  fc.assert(
    fc.property(usage, usage, (first, second) => {
      const events = eventsOf([
        ...asking({ messageMetadata: { usage: first } }),
        ...answering({ usage: second }),
      ])
      expect(usageOf(events, 'task-status')).toEqual([[first]])
      expect(usageOf(events, 'task-complete')).toEqual([[sumOf(first, second)]])
    }),
    { numRuns: runs(50) },
  )
})

it('counts the tokens of an earlier message once if it was written by turnstream', () => {
  fc.assert(
    fc.property(usage, usage, (first, second) => {
      const events = eventsOf([
        ...asking({ messageMetadata: { usage: first } }),
        ...answering({ usage: second }),
      ])
      const write = run(toUiMessageStream())
      const again = eventsOf(events.flatMap((event) => [...write.push(event)]))
      expect(usageOf(again, 'task-complete')).toEqual([[sumOf(first, second)]])
    }),
    { numRuns: runs(50) },
  )
})

it('writes the end of a message that waits as it was', () => {
  const reason = fc.constantFrom<FinishChunk['finishReason']>('stop', 'tool-calls', 'length', 'other')
  const metadata = fc.record({ usage, model: fc.constant('m-1') }, { requiredKeys: [] })
  fc.assert(
    fc.property(reason, metadata, (finishReason, messageMetadata) => {
      const end = {
        finishReason: finishReason as NonNullable<typeof finishReason>,
        ...(Object.keys(messageMetadata).length > 0 && { messageMetadata }),
      }
      const lost: string[] = []
      const { push } = run(toUiMessageStream(), {
        onDiagnostic: ({ path = '' }) => lost.push(path),
      })
      const chunks = eventsOf(asking(end)).flatMap((event) => [...push(event)])
      expect(chunks.at(-1)).toEqual({ type: 'finish', ...end })
      expect(lost.filter((path) => path.startsWith('/metadata/'))).toEqual([])
    }),
    { numRuns: runs(50) },
  )
})

it('a message that waits ends without a gap, with the extension too', () => {
  for (const version of [5, 6, 7] as const) {
    for (const extension of [false, true]) {
      const write = run(toUiMessageStream({ version, extension }))
      const chunks = [...eventsOf(asking({})).flatMap((event) => [...write.push(event)]), ...write.end()]
      const codes: string[] = []
      const read = run(fromUiMessageStream({ now: () => 0, extension }), {
        onDiagnostic: ({ code }) => codes.push(code),
      })
      for (const chunk of chunks) read.push(chunk)
      read.end()
      expect({ version, extension, codes }).toMatchObject({ codes: expect.not.arrayContaining(['gap']) })
    }
  }
})
