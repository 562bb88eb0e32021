import type { EventDraft } from 'turnstream'
import type { Store, Stream, TaskName } from 'turnstream/server'

/** The conversation of a user, in any process. An agent whose process has stopped is called again when the user answers. */
export function openConversation(store: Store, owner: string): Promise<Stream> {
  return store.open(
    { owner, contextId: 'main' },
    {
      onInput(stream, { taskId, input }) {
        const task = { contextId: 'main', taskId }
        return stream.run({ ...task, input }, (signal) => deploy(stream, task, signal))
      },
    },
  )
}

async function* deploy(stream: Stream, task: TaskName, signal: AbortSignal): AsyncGenerator<EventDraft> {
  // Called again, it asks nothing: it finds the answer.
  const reply = yield* stream.ask({ ...task, inputId: 'deploy', prompt: 'Deploy?', signal })
  const outcome = reply.status === 'answered' ? 'deployed' : 'not deployed'
  yield { kind: 'content-complete', content: `Process ${process.pid}: ${outcome}.` }
}
