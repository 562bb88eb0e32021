import { createRoot } from 'react-dom/client'
import { useAgent } from 'turnstream/react'

function Page() {
  const { view, connection, send, approve, decline } = useAgent('/agent')
  return (
    <main data-connection={connection}>
      {view.tasks.map(({ taskId, input, parts, status }) => (
        <section key={taskId} data-status={status}>
          <b>{String(input)}</b>
          {parts.map((part, i) => {
            if (part.type === 'text') return <p key={i}>{part.text}</p>
            if (part.type !== 'tool') return null
            const id = part.approval?.status === 'waiting' && part.approval.inputId
            return (
              <p key={i}>
                {part.toolName} {JSON.stringify(part.arguments)} {JSON.stringify(part.result) ?? part.error}
                {id && <button onClick={() => approve(id)}>Approve</button>}
                {id && <button onClick={() => decline(id)}>Decline</button>}
              </p>
            )
          })}
        </section>
      ))}
      <form action={send}>
        <input name="text" />
        <button>Send</button>
      </form>
    </main>
  )
}

createRoot(document.body.appendChild(document.createElement('div'))).render(<Page />)
