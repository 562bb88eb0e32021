/** A page that shows a tool call, and lets the user approve, edit, deny or cancel it. */

import { createElement, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { type CommandDraft, createCommand } from 'turnstream/commands'
import { emptyView, type View, watchStream } from 'turnstream/streams'

async function send(draft: CommandDraft): Promise<void> {
  const body = JSON.stringify(createCommand(draft))
  // Twice, as from two tabs.
  for (let i = 0; i < 2; i++) await fetch(`/streams${location.pathname}/commands`, { method: 'POST', body })
}

function Approval() {
  const [view, setView] = useState<View>(emptyView)
  useEffect(() => {
    const leave = new AbortController()
    const connect = (lastEventId: string | undefined, signal: AbortSignal): Promise<Response> =>
      fetch(`/streams${location.pathname}`, {
        signal,
        headers: lastEventId ? { 'last-event-id': lastEventId } : {},
      })
    void (async () => {
      for await (const { view: next } of watchStream(connect, { signal: leave.signal })) setView(next)
    })()
    return () => leave.abort()
  }, [])
  const task = view.tasks[0]
  const input = task?.parts.find((part) => part.type === 'input')
  const tool = task?.parts.find((part) => part.type === 'tool')
  const respond = (response: object) => () =>
    send({
      kind: 'input.respond',
      responses: [{ inputId: input?.inputId ?? '', outcome: 'answered', ...response }],
    })
  const button = (label: string, onClick: () => Promise<void>) =>
    createElement('button', { type: 'button', onClick, key: label }, label)
  const buttons = [
    button('approve', respond({})),
    button('edit', respond({ value: { arguments: { seats: 4 } } })),
    button('deny', respond({ outcome: 'declined' })),
    button('cancel', () => send({ kind: 'task.cancel', ...(task && { taskId: task.taskId }) })),
  ]
  const outcome = `${task?.status}, input ${input?.status}, ran ${JSON.stringify(tool?.status === 'succeeded' ? tool.arguments : null)}`
  return input?.status === 'open'
    ? createElement('div', null, ...buttons)
    : createElement('output', null, outcome)
}

const root = document.createElement('main')
document.body.append(root)
createRoot(root).render(createElement(Approval))
