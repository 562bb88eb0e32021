/** A page of assistant-ui: it loads what it has missed by `connect`, and shows its own approvals. */
import { HttpAgent } from '@ag-ui/client'
import {
  AssistantRuntimeProvider,
  ComposerPrimitive,
  MessagePrimitive,
  ThreadPrimitive,
} from '@assistant-ui/react'
import { useAgUiRuntime } from '@assistant-ui/react-ag-ui'
import { createRoot } from 'react-dom/client'

const url = '/agent/ag-ui'
let isFirst = true
const agent = new HttpAgent({
  ...{ url, threadId: 'main' },
  fetch(to, init) {
    const path = isFirst ? `${url}/connect` : to
    isFirst = false
    return fetch(path, init)
  },
})
// The first run is what the page has missed.
const history = { load: async () => ({ messages: [], unstable_resume: true }), append: async () => {} }

function Tool({ toolName, args, result, approval, respondToApproval }) {
  const isWaiting = approval !== undefined && approval.approved === undefined && !approval.resolution
  return (
    <p className="tool">
      {toolName} {JSON.stringify(args)} {JSON.stringify(result)}
      {isWaiting && (
        <button type="button" onClick={() => respondToApproval({ approved: true })}>
          Approve
        </button>
      )}
      {isWaiting && (
        <button type="button" onClick={() => respondToApproval({ approved: false })}>
          Decline
        </button>
      )}
    </p>
  )
}

const Text = ({ text }) => <p>{text}</p>
const Message = () => (
  <MessagePrimitive.Root>
    <MessagePrimitive.Parts components={{ Text, tools: { Fallback: Tool } }} />
  </MessagePrimitive.Root>
)

function Page() {
  const runtime = useAgUiRuntime({ agent, adapters: { history }, onError: (error) => console.error(error) })
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <ThreadPrimitive.Root>
        <ThreadPrimitive.Messages components={{ Message }} />
        <ComposerPrimitive.Root>
          <ComposerPrimitive.Input />
        </ComposerPrimitive.Root>
      </ThreadPrimitive.Root>
    </AssistantRuntimeProvider>
  )
}

createRoot(document.body.appendChild(document.createElement('div'))).render(<Page />)
