/** The guard in front of every mapper from events: checks its input, and projects it for the viewer. */

import type { Machine, Step } from '../../core/machine.ts'
import { StepBuilder } from '../../core/step-builder.ts'
import { decodeEvent } from '../../events/decode.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { newlyHidden } from '../../streams/access/hidden-fields.ts'
import { type HiddenField, passOf, projectionOf, seesForwardedOnly } from '../../streams/access/projection.ts'
import { requireViewer } from '../../streams/access/require-viewer.ts'
import type { Viewer } from '../../streams/access/viewer.ts'
import { isFields } from '../../validation/predicates.ts'
import { splitField, withField } from './beside.ts'
import { reportUndecoded } from './report-undecoded.ts'
import { isKeptBack, type Subtasks, withSubtask } from './subtasks.ts'
import { endWhole, stepWhole } from './unicode.ts'

const GUARD = '~guard'

/** What the guard remembers. */
interface Guard {
  /** The hidden fields that were reported. */
  readonly hidden: readonly string[]
  readonly subtasks?: Subtasks
}

/**
 * Guards a mapper: its inputs become valid events that the viewer may see, with `null` read as absent. Reports
 * `invalid-event` with the issues, `dropped:<kind>` with the reason `unknown-kind`, and `dropped:<kind>` with the
 * reason `audience` for events that are hidden from the viewer, such as the thoughts of a task that another event has
 * stated to be a subtask. Fields that are hidden from the viewer are removed; those that no schema declares are reported as
 * `hidden:<field>`, once per kind. Texts are Unicode: pairs that were cut between two deltas are joined, and any other half
 * is reported as `lossy:<field>`.
 *
 * @throws TypeError if the viewer is invalid.
 */
export function guarded<State, Out, End = undefined>(
  viewer: Viewer,
  machine: Machine<State, ContextAnyEvent, Out, End>,
): Machine<State, ContextAnyEvent, Out, End> {
  requireViewer('viewer', viewer)
  let hidden: HiddenField[] = []
  const project = projectionOf(viewer, { onHidden: (field) => hidden.push(field) })

  const passes = passOf(viewer)
  const onlyForwarded = seesForwardedOnly(viewer)

  /** The step for an input, of the state of the machine itself. */
  const stepInner = (state: State, input: ContextAnyEvent, isHidden: boolean): Step<State, Out> => {
    if (!isHidden && passes(input)) return stepWhole(machine, state, input)
    const decoded = decodeEvent(input)
    const visible = decoded.status === 'known' && !isHidden ? project(decoded.event) : undefined
    if (visible !== undefined) return stepWhole(machine, state, visible)
    const builder = new StepBuilder<State, Out>(state)
    if (decoded.status !== 'known') reportUndecoded(builder, decoded)
    else {
      const { kind } = decoded.event
      builder.dropped(kind, 'audience', `The ${viewer.audience} may not see this ${kind} event.`)
    }
    return builder.done()
  }

  return {
    initial: machine.initial,
    step(state, input) {
      const [inner, guard] = splitField<State, Guard>(state, GUARD)
      const subtasks =
        onlyForwarded && isFields(input) ? withSubtask(guard?.subtasks, input) : guard?.subtasks
      const isHidden = subtasks !== undefined && isFields(input) && isKeptBack(subtasks, input)
      const step = stepInner(inner, input, isHidden)
      if (hidden.length === 0 && subtasks === guard?.subtasks)
        return guard === undefined ? step : { ...step, state: withField(step.state, GUARD, guard) }
      const news = newlyHidden(hidden, guard?.hidden ?? [])
      hidden = []
      const diagnostics = [...news.diagnostics, ...(step.diagnostics ?? [])]
      const next: Guard = { hidden: news.reported, ...(subtasks && { subtasks }) }
      return {
        state: withField(step.state, GUARD, next),
        out: step.out,
        ...(diagnostics.length > 0 && { diagnostics }),
      }
    },
    end(state, reason) {
      return endWhole(machine, splitField(state, GUARD)[0], reason)
    },
  }
}
