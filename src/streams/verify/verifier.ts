/** The verifier: checks a stream of events against the rules. */

import type { UnknownEvent } from '../../core/decode-result.ts'
import type { Machine } from '../../core/machine.ts'
import { type MachineState, opaque } from '../../core/machine-state.ts'
import { requireBoolean } from '../../core/require.ts'
import { decodeEvent } from '../../events/decode.ts'
import type { ContextAnyEvent, EventKind } from '../../events/event.ts'
import { isInternal } from '../../events/kinds.ts'
import { readVerifierOptions } from '../../rules/options.ts'
import type { VerifyMode } from '../../rules/rule.ts'
import type { Violation } from '../../rules/violation.ts'
import { CheckContext, type CheckSettings, type Checks, tasksIn } from './context.ts'
import type { EventRuleName } from './rule-names.ts'
import { checkAfterEnd } from './rules/after-end.ts'
import { loopChecks } from './rules/agent-loop.ts'
import { artifactChecks } from './rules/artifact/artifact.ts'
import { chunkChecks } from './rules/artifact/artifact-chunk.ts'
import { reportHalves, reportIssues, reportUnknownFields, reportUnknownKind } from './rules/event.ts'
import { ruleMeta } from './rules/index.ts'
import { iterationChecks } from './rules/iteration.ts'
import { authChecks } from './rules/request/auth.ts'
import { inputChecks } from './rules/request/input.ts'
import { subtaskChecks } from './rules/task/subtask.ts'
import { taskChecks } from './rules/task/task.ts'
import { checkStreamEnd } from './rules/task/task-end.ts'
import { taskErrorChecks } from './rules/task/task-error.ts'
import { startTask } from './rules/task/task-start.ts'
import { contentChecks } from './rules/text/content.ts'
import { reportUnresolved, thoughtChecks } from './rules/text/thought.ts'
import { checkTime } from './rules/time.ts'
import { toolChecks } from './rules/tool/tool.ts'
import { toolArgumentsChecks } from './rules/tool/tool-arguments.ts'
import { initialState, type VerifierState } from './state/verifier-state.ts'

/** Options of {@link verifier}. */
export interface VerifierOptions {
  /** How much is checked. @defaultValue `'standard'` */
  readonly mode?: VerifyMode
  /**
   * The position of the first event in the stream, from 0. If it is not 0, the stream was joined late:
   * unknown tasks and ids are not violations.
   * @defaultValue `0`
   */
  readonly startIndex?: number
  /**
   * Whether the stream is for clients and must not contain internal events.
   * @defaultValue `false`
   */
  readonly external?: boolean
}

/**
 * Checks a stream of one or many tasks against {@link eventRules}. Reports each mistake once, at the event
 * that makes it, and none that follow from it. Never throws on data, and never stops: what to do about a
 * violation is up to the caller.
 *
 * The state is plain JSON and bounded: it holds the 4096 to 8192 most recently used of tasks, tool calls, inputs,
 * authentications, thoughts and artifacts each.
 *
 * Diagnostics:
 *
 * - `state-evicted`: there were more tasks or ids than the state holds; from then on, unknown ids are not
 *   violations
 *
 * @throws TypeError if an option is invalid or unknown.
 *
 * @example
 * ```ts
 * const { push, end } = run(verifier({ mode: 'strict' }))
 * const violations = [...events.flatMap((event) => [...push(event)]), ...end()]
 * ```
 */
export function verifier(
  options: VerifierOptions = {},
): Machine<MachineState<'verifier'>, ContextAnyEvent | UnknownEvent, Violation<EventRuleName>> {
  const { mode, startIndex } = readVerifierOptions(options, ['external'])
  const { external = false } = options
  requireBoolean('external', external)
  const settings: CheckSettings = {
    rules: ruleMeta,
    mode,
    isJoinedLate: startIndex > 0,
  }
  const checksFields = ruleMeta['unknown-field'].severity[mode] !== 'off'
  const machine: Machine<VerifierState, ContextAnyEvent | UnknownEvent, Violation<EventRuleName>> = {
    initial: initialState(startIndex),
    step(state, input) {
      const decoded = decodeEvent(input)
      if (decoded.status === 'invalid') {
        const context = new CheckContext(state, settings, locationOf(input))
        reportIssues(context, decoded.issues)
        return context.done()
      }
      const event = decoded.event as ContextAnyEvent
      const { kind } = event
      const context = new CheckContext(state, settings, event)
      if (external && isInternal(event as { kind: string })) {
        const message = `Expected no internal events in a stream for clients, got ${kind}.`
        context.report('internal-hidden', message, { path: '/kind', actual: kind })
      }
      reportHalves(context, event)
      if (decoded.status === 'unknown') reportUnknownKind(context, kind)
      else checkEvent(context, decoded.event, checksFields)
      return context.done()
    },
    end(state) {
      const stream = new CheckContext(state, settings)
      reportUnresolved(stream)
      const violations = [...tasksIn(state)].flatMap((task) => {
        const context = new CheckContext(state, settings, task)
        context.task = { ...task }
        checkStreamEnd(context)
        return context.violations
      })
      return { state, out: [...violations, ...stream.violations] }
    },
  }
  return opaque(machine)
}

type Check = (context: CheckContext, event: ContextAnyEvent) => void

const checks: Checks<EventKind> = {
  ...taskChecks,
  ...subtaskChecks,
  ...taskErrorChecks,
  ...contentChecks,
  ...thoughtChecks,
  ...toolChecks,
  ...toolArgumentsChecks,
  ...inputChecks,
  ...authChecks,
  ...artifactChecks,
  ...chunkChecks,
  ...loopChecks,
  ...iterationChecks,
  // No rule is about these.
  custom: null,
  'internal:tool-start': null,
  'internal:tool-complete': null,
}

function checkEvent(context: CheckContext, event: ContextAnyEvent, checksFields: boolean): void {
  startTask(context, event)
  checkTime(context, event)
  if (checksFields) reportUnknownFields(context, event)
  if (checkAfterEnd(context, event)) (checks[event.kind] as Check | null)?.(context, event)
  context.storeTask()
}

/** The context and task of an invalid event. `undefined` if they are invalid, or reading them throws. */
function locationOf(input: unknown): { contextId: string; taskId: string } | undefined {
  try {
    const { contextId, taskId } = (input ?? {}) as Record<string, unknown>
    return typeof contextId === 'string' && typeof taskId === 'string' ? { contextId, taskId } : undefined
  } catch {
    return undefined
  }
}
