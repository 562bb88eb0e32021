import { createElement, type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { useStream } from '../../../../examples/recipes/client/use-stream.ts'

function Answer(): ReactNode {
  const { view, error } = useStream('/streams/answer')
  if (error !== undefined) return String(error)
  return view.tasks.map(({ taskId, parts }) =>
    createElement('p', { key: taskId }, ...parts.map((part) => (part.type === 'text' ? part.text : ''))),
  )
}

// Strict mode subscribes, unsubscribes and subscribes again.
createRoot(document.body).render(createElement(StrictMode, null, createElement(Answer)))
