/** The guard in front of every mapper from events: checks its input, and projects it for the viewer. */

import type { Machine, Step } from '../../core/machine.ts'
import { StepBuilder } from '../../core/step-builder.ts'
import { decodeEvent } from '../../events/decode.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { newlyHidden } from '../../streams/access/hidden-fields.ts'
import { type HiddenField, passOf, projectionOf } from '../../streams/access/projection.ts'
import { requireViewer } from '../../streams/access/require-viewer.ts'
import type { Viewer } from '../../streams/access/viewer.ts'
import { reportUndecoded } from './report-undecoded.ts'
import { endWhole, stepWhole } from './unicode.ts'

/** The state of a machine, with the hidden fields that were reported as one more field once there are any. */
type Reporting = { readonly '~hidden'?: readonly string[] }

/**
 * Guards a mapper: its inputs become valid events that the viewer may see, with `null` read as absent. Reports
 * `invalid-event` with the issues, `dropped:<kind>` with the reason `unknown-kind`, and `dropped:<kind>` with the
 * reason `audience` for events that are hidden from the viewer. Fields that are hidden from the viewer are removed; those that
 * no schema declares are reported as `hidden:<field>`, once per kind. Texts are Unicode: pairs that were cut between two
 * deltas are joined, and any other half is reported as `lossy:<field>`.
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

  /** The step for an input, of the state of the machine itself. */
  const stepInner = (state: State, input: ContextAnyEvent): Step<State, Out> => {
    if (passes(input)) return stepWhole(machine, state, input)
    const decoded = decodeEvent(input)
    const visible = decoded.status === 'known' ? project(decoded.event) : undefined
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
      const [inner, reported] = splitState(state)
      const step = stepInner(inner, input)
      if (hidden.length === 0) return withReported(step, reported)
      const news = newlyHidden(hidden, reported ?? [])
      hidden = []
      const diagnostics = [...news.diagnostics, ...(step.diagnostics ?? [])]
      return withReported({ ...step, ...(diagnostics.length > 0 && { diagnostics }) }, news.reported)
    },
    end(state, reason) {
      const [inner] = splitState(state)
      return endWhole(machine, inner, reason)
    },
  }
}

function splitState<State>(state: State): [state: State, reported: readonly string[] | undefined] {
  if ((state as Reporting)['~hidden'] === undefined) return [state, undefined]
  const { '~hidden': reported, ...inner } = state as Reporting
  return [inner as State, reported]
}

function withReported<State, Out>(
  step: Step<State, Out>,
  reported: readonly string[] | undefined,
): Step<State, Out> {
  return reported === undefined ? step : { ...step, state: { ...step.state, '~hidden': reported } }
}
