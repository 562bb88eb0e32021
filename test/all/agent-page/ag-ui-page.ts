/** A page on the client of AG-UI that gets what it has missed when it loads, as its docs show. */
import { HttpAgent } from '@ag-ui/client'
import type { Interrupt, Message, RunFinishedEvent } from '@ag-ui/core'
import { createElement as h, type ReactNode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

const url = '/agent/ag-ui'
const agent = new HttpAgent({ url, threadId: 'main' })

function Chat(): ReactNode {
  const [messages, setMessages] = useState<readonly Message[]>([])
  const [interrupts, setInterrupts] = useState<readonly Interrupt[]>([])
  const [status, setStatus] = useState('loading')

  async function run(to: string, parameters: Parameters<typeof agent.runAgent>[0] = {}): Promise<void> {
    agent.url = to
    setInterrupts([])
    setStatus('running')
    await agent.runAgent(parameters, {
      onMessagesChanged: ({ messages: changed }: { messages: Message[] }) => setMessages([...changed]),
      onRunFinishedEvent: ({ event: { outcome } }: { event: RunFinishedEvent }) =>
        setInterrupts(outcome?.type === 'interrupt' ? outcome.interrupts : []),
    })
    setStatus('ready')
  }

  useEffect(() => void run(`${url}/connect`), [])

  async function submit(form: FormData): Promise<void> {
    agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: String(form.get('text')) })
    setMessages([...agent.messages])
    await run(url)
  }
  const resolve = (interruptId: string) => () =>
    run(url, { resume: [{ interruptId, status: 'resolved', payload: { approved: true } }] } as never)

  return h(
    'main',
    { 'data-status': status },
    messages.map(({ id, role, content }) =>
      h('p', { key: id, className: role }, typeof content === 'string' ? content : JSON.stringify(content)),
    ),
    interrupts.map(({ id }) => h('button', { key: id, type: 'button', onClick: resolve(id) }, 'Approve')),
    h('form', { action: submit }, h('input', { name: 'text', 'aria-label': 'Message' })),
  )
}

createRoot(document.body).render(h(Chat))
