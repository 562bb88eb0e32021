/** A page on the client of AG-UI: React 19 and `HttpAgent`, as CopilotKit uses it. */
import { HttpAgent } from '@ag-ui/client'
import type { Interrupt, Message, RunFinishedEvent } from '@ag-ui/core'
import { createElement, type FormEvent, type ReactNode, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'

function Chat(): ReactNode {
  const { current: agent } = useRef(new HttpAgent({ url: '/agent', threadId: crypto.randomUUID() }))
  const [messages, setMessages] = useState<readonly Message[]>([])
  const [questions, setQuestions] = useState<readonly Interrupt[]>([])

  async function ask(resume?: 'resolved' | 'cancelled'): Promise<void> {
    setQuestions([])
    const answers = resume && questions.map(({ id }) => ({ interruptId: id, status: resume }))
    await agent.runAgent(answers ? { resume: answers } : {}, {
      onMessagesChanged: ({ messages }: { messages: Message[] }) => setMessages([...messages]),
      onRunFinishedEvent: ({ event: { outcome } }: { event: RunFinishedEvent }) =>
        setQuestions(outcome?.type === 'interrupt' ? outcome.interrupts : []),
    })
  }

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const content = String(new FormData(event.currentTarget).get('text'))
    agent.addMessage({ id: crypto.randomUUID(), role: 'user', content })
    setMessages([...agent.messages])
    await ask()
  }

  return createElement(
    'main',
    null,
    messages.map((message) =>
      createElement('p', { key: message.id, className: message.role }, textOf(message)),
    ),
    questions.map(({ id, message }) =>
      createElement(
        'fieldset',
        { key: id },
        createElement('legend', null, message),
        createElement('button', { type: 'button', onClick: () => ask('resolved') }, 'Yes'),
        createElement('button', { type: 'button', onClick: () => ask('cancelled') }, 'No'),
      ),
    ),
    createElement(
      'form',
      { onSubmit: submit },
      createElement('input', { name: 'text', 'aria-label': 'Message' }),
    ),
  )
}

function textOf(message: Message): string {
  if (message.role === 'assistant' && message.toolCalls !== undefined) {
    return message.toolCalls.map(({ function: { name } }) => `${name}()`).join(', ')
  }
  return typeof message.content === 'string' ? message.content : JSON.stringify(message.content)
}

createRoot(document.body).render(createElement(Chat))
