import type { EventDraft } from 'turnstream'
import type { AgentInput, Store, Stream } from 'turnstream/server'

/** The conversation of a user, in any process. An agent whose process has stopped is called again when the user answers. */
export function openConversation(store: Store, owner: string): Promise<Stream> {
  return store.open(
    { owner, contextId: 'main' },
    {
      onInput: (stream, input) =>
        stream.run({ contextId: 'main', taskId: input.taskId, input: input.input }, (signal) =>
          deploy(stream, input, signal),
        ),
    },
  )
}

async function* deploy(
  stream: Stream,
  { taskId, isResumed }: AgentInput,
  signal: AbortSignal,
): AsyncGenerator<EventDraft> {
  const inputId = `${taskId}/deploy` // The same after a restart.
  if (!isResumed) {
    yield { kind: 'input-required', inputId, inputType: 'custom', prompt: 'Deploy?' }
    yield { kind: 'task-status', status: 'waiting-input' }
  }
  const answer = await stream.answer({ contextId: 'main', taskId, inputId }, { signal })
  const outcome = answer?.outcome === 'answered' ? 'deployed' : 'not deployed'
  yield { kind: 'content-complete', content: `Process ${process.pid}: ${outcome}.` }
}
