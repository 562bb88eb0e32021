// The laws of the writer for ACP: plain state, what is lost is declared and reported, and a client has each text as one message.
import fc from 'fast-check'
import { createEmitter, run } from 'turnstream'
import { type AcpOutput, acpCoverage, toAcp } from 'turnstream/acp'
import { describe, expect, it, test } from 'vitest'
import { acpLosses } from '../../src/acp/to/losses.ts'
import type { ContextAnyEvent } from '../../src/index.ts'
import { expectMachineLaw } from '../support/law.ts'
import { legalStreams } from '../support/legal-streams.ts'
import { expectCoverageLaw, expectTotal, withUnknownFields } from '../support/mapper-laws.ts'
import { runs } from '../support/runs.ts'

const viewer = { audience: 'operator' } as const
const writer = () => toAcp({ viewer, input: true })
const event = legalStreams({ revisions: true }).chain((events) => fc.constantFrom(...events))

describe('toAcp', () => {
  test('has the law of machines', () => expectMachineLaw(writer(), event, { runs: 200 }))

  test('takes any value', () => expectTotal<ContextAnyEvent>(writer as never, legalStreams()))

  test('loses what it declares', () =>
    expectCoverageLaw({
      machine: () => toAcp({ viewer }) as never,
      coverage: acpCoverage,
      losses: acpLosses,
      streams: withUnknownFields(
        fc.oneof(legalStreams({ subtasks: false }), legalStreams({ subtasks: false, focus: 'texts' })),
      ),
      runs: 400,
    }))
})

/** The messages of a client, by their ids. */
function messagesOf(outputs: readonly AcpOutput[], type: string): string[] {
  const messages = new Map<string, string>()
  for (const output of outputs) {
    if (!('update' in output) || !('messageId' in output.update)) continue
    const { messageId = '', content, sessionUpdate } = output.update
    if (content.type === 'text' && sessionUpdate === type)
      messages.set(messageId, (messages.get(messageId) ?? '') + content.text)
  }
  return [...messages.values()].filter((text) => text !== '').sort()
}

const isRevision = ({ kind }: ContextAnyEvent): boolean =>
  kind === 'content-replace' || kind === 'iteration-reset'

/** The texts or the thoughts of a stream: each as a whole, or what there is of it. */
function textsOf(events: readonly ContextAnyEvent[], of: 'content' | 'thought'): string[] {
  const open = new Map<string, string>()
  const whole: string[] = []
  const read = (id = '', each: { readonly delta: string } | { readonly content: string }): void => {
    if ('delta' in each) open.set(id, (open.get(id) ?? '') + each.delta)
    else {
      open.delete(id)
      whole.push(each.content)
    }
  }
  for (const each of events) {
    if (of === 'content' && (each.kind === 'content-delta' || each.kind === 'content-complete')) {
      read(each.contentId, each)
    } else if (of === 'thought' && (each.kind === 'thought-delta' || each.kind === 'thought-stream')) {
      read(each.thoughtId, each)
    }
  }
  return [...whole, ...open.values()].filter((text) => text !== '').sort()
}

it('writes each text and each thought as one message', () => {
  const streams = fc
    .oneof(legalStreams({ subtasks: false }), legalStreams({ subtasks: false, focus: 'texts' }))
    // A client keeps what was replaced, and has a result as a message.
    .map((events) =>
      events
        .filter((each) => !isRevision(each))
        .map((each) => (each.kind === 'task-complete' ? { ...each, content: '' } : each)),
    )
  fc.assert(
    fc.property(streams, (events) => {
      const codes: string[] = []
      const { push, end } = run(toAcp({ viewer }), { onDiagnostic: ({ code }) => codes.push(code) })
      const outputs = [...events.flatMap((each) => push(each)), ...end()]
      const written = {
        content: messagesOf(outputs, 'agent_message_chunk'),
        thought: messagesOf(outputs, 'agent_thought_chunk'),
      }
      for (const of of ['content', 'thought'] as const) {
        const texts = textsOf(events, of)
        // What waits behind another one and is never whole is lost, and reported.
        if (codes.includes('gap')) expect(texts).toEqual(expect.arrayContaining(written[of]))
        else expect(written[of]).toEqual(texts)
      }
    }),
    { numRuns: runs(300) },
  )
})

it.each(['failed', 'canceled', 'completed'] as const)('ends a call without a result: %s', (status) => {
  const { emit } = createEmitter({ contextId: 'c', taskId: 't' })
  const { push, end } = run(toAcp())
  const outputs = [
    emit({ kind: 'task-created', initiator: 'user' }),
    emit({ kind: 'tool-start', toolCallId: 'a', toolName: 'read', arguments: {} }),
    emit({ kind: 'tool-start', toolCallId: 'b', toolName: 'read', arguments: {} }),
    emit({ kind: 'tool-complete', toolCallId: 'b', toolName: 'read', success: true, result: 1 }),
    emit({ kind: 'task-status', status }),
  ].flatMap((each) => push(each))
  const updates = [...outputs, ...end()].flatMap((output) => ('update' in output ? [output.update] : []))
  expect(updates.at(-1)).toEqual({
    sessionUpdate: 'tool_call_update',
    toolCallId: 't/a',
    status: 'failed',
  })
})

it('names each call whose arguments are cut off', () => {
  const { emit } = createEmitter({ contextId: 'c', taskId: 't' })
  const cut: unknown[] = []
  const { push, end } = run(writer(), {
    onDiagnostic: ({ code, detail }) => code === 'gap' && cut.push(detail),
  })
  push(emit({ kind: 'task-created', initiator: 'user' }))
  for (const toolCallId of ['a', 'b'])
    push(emit({ kind: 'tool-arguments-delta', toolCallId, toolName: 'pay', delta: '{"amount"' }))
  push(emit({ kind: 'task-status', status: 'completed' }))
  end()
  const { size } = new Set(cut.map((detail) => JSON.stringify(detail)))
  expect([cut.length, size]).toEqual([2, 2])
})
