/** The guard in front of every mapper from events: decodes its input and honours the audience labels. */

import type { Machine } from '../../core/machine.ts'
import { StepBuilder } from '../../core/step-builder.ts'
import { decodeEvent } from '../../events/decode.ts'
import type { ContextAnyEvent } from '../../events/event.ts'
import { projectFor } from '../../streams/access/project.ts'
import { requireViewer } from '../../streams/access/require-viewer.ts'
import type { Viewer } from '../../streams/access/viewer.ts'
import { reportUndecoded } from './report-undecoded.ts'
import { endWhole, stepWhole } from './unicode.ts'

/**
 * Guards a mapper: its inputs become valid events that the viewer may see, with `null` read as absent. Reports
 * `invalid-event` with the issues, `dropped:<kind>` with the reason `unknown-kind`, and `dropped:<kind>` with the
 * reason `audience` for events that are hidden from the viewer. Fields that are hidden from the viewer are removed. Texts
 * are Unicode: pairs that were cut between two deltas are joined, and any other half is reported as `lossy:<field>`.
 *
 * @param options.joinsText - Set by a mapper that makes texts Unicode itself.
 * @throws TypeError if the viewer is invalid.
 */
export function guarded<State, Out, End = undefined>(
  viewer: Viewer,
  machine: Machine<State, ContextAnyEvent, Out, End>,
  { joinsText = false }: { readonly joinsText?: boolean } = {},
): Machine<State, ContextAnyEvent, Out, End> {
  requireViewer('viewer', viewer)
  return {
    initial: machine.initial,
    step(state, input) {
      const decoded = decodeEvent(input)
      if (decoded.status === 'known') {
        const visible = projectFor(decoded.event, viewer)
        if (visible !== undefined)
          return joinsText ? machine.step(state, visible) : stepWhole(machine, state, visible)
      }
      const builder = new StepBuilder<State, Out>(state)
      if (decoded.status !== 'known') reportUndecoded(builder, decoded)
      else {
        const { kind } = decoded.event
        builder.dropped(kind, 'audience', `The ${viewer.audience} may not see this ${kind} event.`)
      }
      return builder.done()
    },
    end: (state, reason) => (joinsText ? machine.end(state, reason) : endWhole(machine, state, reason)),
  }
}
