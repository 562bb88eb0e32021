/** The events of the run that a request is about. */

import { type Diagnostic, type Runner, run } from '../../../core/machine.ts'
import type { ContextAnyEvent } from '../../../events/event.ts'
import { answeredId, OpenRequests, type Request } from '../../../server/protocol/open-requests.ts'
import type { TaskWriter } from '../../../server/protocol/write-task.ts'
import { defaultViewer } from '../../../streams/access/viewer.ts'
import { withSuffix } from '../../shared/wire-ids.ts'
import type { ToAgUiOptions } from '../to/options.ts'
import { toAgUi } from '../to/to-ag-ui.ts'
import type { AgUiEvent, AgUiEventOf } from '../wire/types/index.ts'

/**
 * Writes a task of which the client has some runs.
 *
 * @param skipped - How many events are those of the earlier runs: what follows is the run with the id of the request.
 */
export function runWriter(
  taskId: string,
  skipped: number,
  options: ToAgUiOptions,
  onDiagnostic: ((diagnostic: Diagnostic) => void) | undefined,
): TaskWriter<AgUiEvent> {
  const { runId, ...others } = options
  const reporting = onDiagnostic === undefined ? {} : { onDiagnostic }
  const machine = toAgUi(options)
  let runner: Runner<unknown, ContextAnyEvent, AgUiEvent> = run(
    skipped === 0 ? machine : toAgUi(others),
    reporting,
  )
  const requests = new OpenRequests(taskId, options.viewer ?? defaultViewer)
  let events = 0
  let finished: RunFinished | undefined

  return {
    push(event) {
      if (events++ === skipped && skipped > 0)
        runner = run(machine, { ...reporting, state: runner.state as (typeof machine)['initial'] })
      requests.follow(event)
      const written = runner.push(event)
      for (const each of written) if (each.type === 'RUN_FINISHED') finished = each
      // Some of several questions were answered: the task still waits for the others, without a status that states it again.
      const isAsking = answeredId(event) !== undefined && requests.waiting.length > 0
      return isAsking && finished !== undefined
        ? [...written, ...runOf(runId ?? taskId, finished, requests.waiting, Date.parse(event.timestamp))]
        : written
    },
    end: () => runner.end(),
    isEnd: ({ type }) => type === 'RUN_FINISHED' || type === 'RUN_ERROR',
  }
}

type RunFinished = AgUiEventOf<'RUN_FINISHED'>

/** A run that only asks for what is left of the one before. */
function runOf(
  runId: string,
  { threadId, runId: parentRunId, outcome }: RunFinished,
  waiting: readonly Request[],
  timestamp: number,
): AgUiEvent[] {
  const ids = new Set(waiting.flatMap(idsOf))
  return [
    { type: 'RUN_STARTED', threadId, runId, parentRunId, protocolVersion: '1.0', timestamp },
    { type: 'RUN_FINISHED', threadId, runId, timestamp, ...(outcome && { outcome: leftOf(outcome, ids) }) },
  ]
}

function leftOf(outcome: NonNullable<RunFinished['outcome']>, ids: ReadonlySet<string>): typeof outcome {
  if (outcome.type === 'interrupt')
    return { ...outcome, interrupts: outcome.interrupts.filter(({ id }) => ids.has(id)) }
  if (outcome.type !== 'success' || outcome.pendingToolCallIds === undefined) return outcome
  return { ...outcome, pendingToolCallIds: outcome.pendingToolCallIds.filter((id) => ids.has(id)) }
}

/** The ids of a request, and of its call, as clients may have them. */
function idsOf(request: Request): string[] {
  const isInput = request.kind === 'input-required'
  const call = isInput ? request.metadata?.toolCall?.id : undefined
  const ids = [isInput ? request.inputId : request.authId, ...(call === undefined ? [] : [call])]
  return ids.flatMap((id) => [id, withSuffix(id, request.taskId)])
}
