// The example of docs/conversations.md: several messages of one context.

import { createEmitter, run } from 'turnstream'
import { emptyView, foldEvent, foldEvents, verifier } from 'turnstream/streams'
import { describe, expect, it } from 'vitest'
import { answer, messagesOf } from '../../examples/docs/conversation.ts'

describe('docs/conversations.md', () => {
  const echo = (text: string): string[] => ['You said: ', text]
  const events = ['Hello', 'And tomorrow?'].flatMap((text, i) => [
    ...answer({ contextId: 'ctx-1', taskId: `task-${i + 1}`, text }, echo),
  ])

  it('shows each message and its answer', () => {
    const messages = messagesOf(events.reduce(foldEvent, emptyView))
    expect(messages.map(({ role, text }) => `${role}: ${text}`)).toEqual([
      'user: Hello',
      'agent: You said: Hello',
      'user: And tomorrow?',
      'agent: You said: And tomorrow?',
    ])
  })

  it('shows a text that another one interrupts as one message', () => {
    const { emit } = createEmitter({ contextId: 'ctx-1', taskId: 'task-1' })
    const texts = [
      emit({ kind: 'task-created', initiator: 'user' }),
      emit({ kind: 'content-delta', contentId: 'a', delta: 'Hello ' }),
      emit({ kind: 'content-delta', contentId: 'b', delta: 'Bonjour ' }),
      emit({ kind: 'content-delta', contentId: 'a', delta: 'Ada' }),
      emit({ kind: 'content-delta', contentId: 'b', delta: 'Ada' }),
    ]
    expect(messagesOf(foldEvents(emptyView, texts)).map(({ text }) => text)).toEqual([
      'Hello Ada',
      'Bonjour Ada',
    ])
  })

  it('is a legal stream', () => {
    const { push, end } = run(verifier({ mode: 'strict' }))
    expect([...events.flatMap((event) => [...push(event)]), ...end()]).toEqual([])
  })
})
