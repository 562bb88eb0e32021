import { useChat } from '@ai-sdk/react'
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses, type UIMessage } from 'ai'
import { createElement as h, type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { chatTransport } from 'turnstream/ai-sdk'

const url = '/agent/chat'
const stored = (await (await fetch(`${url}/main`)).json()) as UIMessage[]
const transport = chatTransport(DefaultChatTransport, url)

function Chat(): ReactNode {
  const { messages, sendMessage, status, addToolApprovalResponse, resumeStream } = useChat({
    id: 'main',
    transport,
    messages: stored,
    resume: true,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    onFinish({ isAbort, isError, isDisconnect }) {
      // Another page may answer what this one asks, and a connection may break.
      if (!isAbort && (!isError || isDisconnect)) setTimeout(resumeStream)
    },
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
