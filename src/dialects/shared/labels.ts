/** Who may see what a reader has read: its peer does not decide that. */

import type { Diagnostic, Machine, Step } from '../../core/machine.ts'
import { LABEL } from '../../events/carry-keys.ts'
import type { Metadata } from '../../events/metadata.ts'

/** Who decides who may see the events of a reader. */
export interface LabelRules {
  /** Whether the sender does, as it is trusted. Omitted: it does not, and its labels are removed and reported. */
  readonly isTrusted?: boolean
  /** Whether an event is for operators alone, whatever is stated. Omitted: no event. */
  readonly isForOperators?: (event: { readonly kind?: unknown; readonly name?: unknown }) => boolean
}

type Labeled = { readonly kind?: unknown; readonly name?: unknown; readonly metadata?: Metadata }

/** A reader whose events have the labels that its rules give them, and no others. */
export function withOwnLabels<State, In, Out extends object, End>(
  machine: Machine<State, In, Out, End>,
  { isTrusted = false, isForOperators = () => false }: LabelRules,
): Machine<State, In, Out, End> {
  const isFinal = (event: Labeled): boolean =>
    !isForOperators(event) && (isTrusted || event.metadata?.[LABEL] == null)
  const relabel = (step: Step<State, Out>): Step<State, Out> => {
    if (step.out.every(isFinal)) return step
    const diagnostics = [...(step.diagnostics ?? [])]
    const out = step.out.map((event) => {
      if (isFinal(event)) return event
      const { [LABEL]: audience, ...metadata } = (event as Labeled).metadata ?? {}
      if (isForOperators(event)) return { ...event, metadata: { ...metadata, [LABEL]: ['operator'] } }
      diagnostics.push(removed(audience))
      const { metadata: _, ...bare } = event as Out & Labeled
      return (Object.keys(metadata).length === 0 ? bare : { ...event, metadata }) as Out
    })
    return { ...step, out, diagnostics }
  }
  return {
    initial: machine.initial,
    step: (state, input) => relabel(machine.step(state, input)),
    end: (state, reason) => relabel(machine.end(state, reason)),
  }
}

function removed(audience: unknown): Diagnostic {
  const message = `Expected no metadata.${LABEL} of another system, got one: it does not decide who sees its events.`
  return { code: 'lossy:metadata', message, path: `/metadata/${LABEL}`, detail: { [LABEL]: audience } }
}
