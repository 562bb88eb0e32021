// Compiled by the workflow `CI` against the packed package, with every supported version of TypeScript.
import { type ContextAnyEvent, createEmitter, decodeEvent, readEvents } from 'agentwire'
import { toA2a } from 'agentwire/a2a'
import { agentEventRules } from 'agentwire/agent-event'
import { decodeFrame } from 'agentwire/frames'
import { decodeSessionEvent } from 'agentwire/session'
import { encodeEvent } from 'agentwire/sse'
import { emptyView, foldEvent } from 'agentwire/streams'
import { extractThoughts } from 'agentwire/thoughts'

export function textOf(event: ContextAnyEvent): string | undefined {
  switch (event.kind) {
    case 'content-delta':
      return event.delta
    case 'thought-stream':
      return event.metadata?.confidence === 1 ? event.content : undefined
    default:
      return undefined
  }
}

export async function viewOf(response: Response): Promise<typeof emptyView> {
  let view = emptyView
  for await (const event of readEvents(response)) view = foldEvent(view, event)
  return view
}

const decoded = decodeEvent(null)
export const kind: string | undefined =
  decoded.status === 'invalid' ? decoded.issues[0]?.path : decoded.event.kind

const { emit } = createEmitter({ contextId: 'ctx-1', taskId: 'task-1' })
export const wire: string = encodeEvent(emit({ kind: 'content-delta', delta: 'x' }))

void [toA2a, agentEventRules, decodeFrame, decodeSessionEvent, extractThoughts]
