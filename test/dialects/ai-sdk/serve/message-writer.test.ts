// Proves that a message which goes on after some of its questions were answered has one beginning for each response.
import type { ContextAnyEvent } from 'turnstream'
import { expect, it } from 'vitest'
import { messageWriter } from '../../../../src/dialects/ai-sdk/serve/message-writer.ts'

const context = { contextId: 'c', taskId: 't', timestamp: '2026-01-31T10:00:00.000Z' }

it('begins again with what follows an answer, while others are open', () => {
  const { push } = messageWriter('t', { viewer: { audience: 'user' } }, undefined)
  const typesOf = (event: object): string[] =>
    push({ ...context, ...event } as ContextAnyEvent).map(({ type }) => type)
  const ask = (inputId: string) => ({
    ...{ kind: 'input-required', inputId, inputType: 'tool-execution', prompt: '?' },
    metadata: { toolCall: { id: `call-${inputId}`, function: { name: 'pay', arguments: '{}' } } },
  })
  const written = [
    { kind: 'task-created', initiator: 'user' },
    { kind: 'content-delta', delta: 'Hi', index: 0 },
    ask('i'),
    ask('j'),
    ask('k'),
    { kind: 'task-status', status: 'waiting-input' },
    { kind: 'input-received', inputId: 'i' },
    { kind: 'internal:checkpoint', iteration: 0 },
    ...['i', 'j'].flatMap((id) => [
      { kind: 'tool-start', toolCallId: `call-${id}`, toolName: 'pay', arguments: {} },
      { kind: 'tool-complete', toolCallId: `call-${id}`, toolName: 'pay', success: true },
      ...(id === 'i' ? [{ kind: 'input-received', inputId: 'j' }] : []),
    ]),
  ].map(typesOf)
  const [input, output] = ['tool-input-available', 'tool-output-available']
  expect(written.slice(5)).toEqual([
    ['finish'],
    ['finish'],
    [],
    ['start', input],
    [output],
    ['finish'],
    ['start', input],
    [output],
  ])
})
