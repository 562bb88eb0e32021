/** A page of CopilotKit without its runtime: it loads what it has missed by `connect`, and asks by the interrupts of AG-UI. */
import { HttpAgent } from '@ag-ui/client'
import {
  CopilotChat,
  CopilotKitProvider,
  useDefaultRenderTool,
  useInterrupt,
} from '@copilotkit/react-core/v2'
import { createRoot } from 'react-dom/client'

const url = '/agent/ag-ui'

class Agent extends HttpAgent {
  connect(input) {
    return new HttpAgent({ url: `${url}/connect`, threadId: 'main' }).run(input)
  }
}

const agents = { default: new Agent({ url, threadId: 'main' }) }

const textOf = (value) => (typeof value === 'string' ? value : JSON.stringify(value))

function Asks() {
  useDefaultRenderTool({
    render: ({ name, parameters, result }) => (
      <p>
        {name} {textOf(parameters)} {textOf(result)}
      </p>
    ),
  })
  useInterrupt({
    render: ({ interrupts, resolve, cancel }) => (
      <>
        {interrupts.map(({ id, message }) => (
          <p key={id}>
            {message}
            <button type="button" onClick={() => resolve({ approved: true }, id)}>
              Approve
            </button>
            <button type="button" onClick={() => cancel(id)}>
              Decline
            </button>
          </p>
        ))}
      </>
    ),
  })
  return null
}

createRoot(document.body.appendChild(document.createElement('div'))).render(
  <CopilotKitProvider selfManagedAgents={agents}>
    <Asks />
    <CopilotChat threadId="main" />
  </CopilotKitProvider>,
)
