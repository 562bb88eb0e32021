/** Who may see what a reader has read: its peer does not decide that, and texts of its errors are for operators. */

import type { Diagnostic, Machine, Step } from '../../core/machine.ts'
import { LABEL } from '../../events/carry-keys.ts'
import type { ErrorInfo } from '../../events/error.ts'
import type { Metadata } from '../../events/metadata.ts'

/** A failure, an error, or any other event. */
interface Failing {
  readonly kind?: unknown
  readonly status?: unknown
  readonly message?: string
  readonly error?: ErrorInfo
}

/** Whether an event states an error, or the message of a failure. */
function isError({ kind, status, message, error }: Failing): boolean {
  return (error ?? message) !== undefined && (kind === 'task-error' || status === 'failed')
}

/** An error whose texts are in its details, for operators: users see what happened, and its code. */
function withoutErrorText<Event extends Failing>(event: Event): Event {
  const { kind, message: text, error } = event
  const { code = 'internal', message: stated = text, details, ...rest } = error ?? { retry: 'terminal' }
  const isCode = /^[\w.-]{1,64}$/.test(code)
  const message = kind === 'task-error' ? 'The agent reported an error.' : 'The agent failed.'
  const hidden = {
    message: stated,
    ...(text !== undefined && text !== stated && { status: text }),
    ...(!isCode && { code }),
    ...(details !== undefined && { details }),
  }
  return {
    ...event,
    ...(text !== undefined && { message }),
    error: { ...rest, code: isCode ? code : 'internal', message, details: hidden },
  }
}

/** What users see of errors. */
export interface ShowErrors {
  /**
   * Whether users see the text of an error of the server, which may quote keys, addresses and prompts. `false`: they see
   * that the agent failed, and the text is in the `details` of the error, for operators.
   *
   * @defaultValue `false`; the value of `extension` where a reader has that option
   */
  readonly showErrors?: boolean
}

/** Who decides who may see the events of a reader. */
export interface LabelRules {
  /** Whether the sender does, as it is trusted. Omitted: it does not, and its labels are removed and reported. */
  readonly isTrusted?: boolean
  /** Whether an event is for operators alone, whatever is stated. Omitted: no event. */
  readonly isForOperators?: (event: { readonly kind?: unknown; readonly name?: unknown }) => boolean
  /** Whether users see the texts of its errors. Omitted: whether it is trusted. */
  readonly showErrors?: boolean | undefined
}

type Labeled = { readonly kind?: unknown; readonly name?: unknown; readonly metadata?: Metadata }

/** A reader whose events have the labels that its rules give them, and no others, and whose errors have no texts that are not shown. */
export function withOwnLabels<State, In, Out extends object, End>(
  machine: Machine<State, In, Out, End>,
  { isTrusted = false, isForOperators = () => false, showErrors = isTrusted }: LabelRules,
): Machine<State, In, Out, End> {
  const isFinal = (event: Labeled): boolean =>
    !isForOperators(event) && (isTrusted || event.metadata?.[LABEL] == null)
  const relabel = (step: Step<State, Out>): Step<State, Out> => {
    if (step.out.every((event) => isFinal(event) && (showErrors || !isError(event)))) return step
    const diagnostics = [...(step.diagnostics ?? [])]
    const out = step.out.map((each) => {
      const event = showErrors || !isError(each) ? each : withoutErrorText(each)
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
