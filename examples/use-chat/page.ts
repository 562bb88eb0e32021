import { useChat } from '@ai-sdk/react'
import { lastAssistantMessageIsCompleteWithApprovalResponses, type UIMessage } from 'ai'
import { createElement as h, type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { type Running, TurnstreamTransport } from './transport.ts'

interface Loaded extends Running {
  readonly messages: UIMessage[]
}

const { messages: stored, ...running } = (await (await fetch('/chat')).json()) as Loaded
const transport = new TurnstreamTransport('/chat', running)

function Chat(): ReactNode {
  const { messages, sendMessage, status, addToolApprovalResponse } = useChat({
    transport,
    messages: stored,
    resume: true,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  })
  const answer = (id: string, approved: boolean) => () => addToolApprovalResponse({ id, approved })
  const show = (part: UIMessage['parts'][number], key: number): ReactNode => {
    if (part.type === 'text') return h('p', { key }, part.text)
    if (part.type === 'reasoning') return h('i', { key }, part.text)
    if (part.type !== 'dynamic-tool') return null
    const { toolName, input, state, output, approval } = part
    return h(
      'div',
      { key, className: 'tool' },
      `${toolName} ${JSON.stringify(input)}: ${state} ${output === undefined ? '' : JSON.stringify(output)}`,
      state === 'approval-requested' &&
        h('button', { type: 'button', id: 'approve', onClick: answer(approval?.id ?? '', true) }, 'Approve'),
    )
  }
  return h(
    'main',
    {},
    ...messages.map(({ id, role, parts }) =>
      h('section', { key: id, className: role, 'data-message': id }, ...parts.map(show)),
    ),
    h(
      'button',
      { type: 'button', id: 'send', onClick: () => sendMessage({ text: 'Book the trip.' }) },
      'Send',
    ),
    h('output', { id: 'status' }, status),
  )
}

createRoot(document.body).render(h(StrictMode, null, h(Chat)))
