import { type ContextAnyEvent, createEmitter, run } from 'turnstream'
import { type AgUiEvent, toAgUi } from 'turnstream/ag-ui'
import type { CommandOf } from 'turnstream/commands'

/** Takes the state that the page has sent, and changes it: the artifact `state`, of which each change is a version. */
export function* planTrip(
  { metadata }: Pick<CommandOf<'task.send'>, 'metadata'>,
  task: { contextId: string; taskId: string },
): Generator<ContextAnyEvent> {
  const { emit } = createEmitter(task)
  const state = metadata?.state as { seats: number } // From an AG-UI page: the state of its `RunAgentInput`.
  yield emit({ kind: 'task-created', initiator: 'user' })
  yield emit({ kind: 'task-status', status: 'working' })
  yield emit({ kind: 'data-write', artifactId: 'state', version: 1, data: { ...state } })
  const patch = [{ op: 'replace' as const, path: '/seats', value: state.seats + 1 }]
  const change = { type: 'json-patch' as const, patch }
  yield emit({ kind: 'artifact-delta', artifactId: 'state', baseVersion: 1, version: 2, change })
  yield emit({ kind: 'task-status', status: 'completed' })
}

/** The same for an AG-UI page: `STATE_SNAPSHOT` and `STATE_DELTA`. */
export function* toPage(
  events: Iterable<ContextAnyEvent>,
  threadId: string,
  runId: string,
): Generator<AgUiEvent> {
  const mapper = run(toAgUi({ threadId, runId }))
  for (const event of events) yield* mapper.push(event)
  yield* mapper.end()
}
