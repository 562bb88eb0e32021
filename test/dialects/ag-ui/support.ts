// What several tests of the dialect need.
import type { Machine } from '../../../src/core/machine.ts'
import type { FromAgUiOptions } from '../../../src/dialects/ag-ui/from/options.ts'
import { type AgUiEvent, fromAgUi, toAgUi } from '../../../src/dialects/ag-ui/index.ts'
import type { ToAgUiOptions } from '../../../src/dialects/ag-ui/to/options.ts'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { closeDangling, emptyView, foldEvents, type View } from '../../../src/streams/index.ts'
import { isFields } from '../../../src/validation/predicates.ts'
import { type Result, resultsOf } from '../../support/mapper-laws.ts'

/** The writer, with a type that the laws take. */
export function writer(options: ToAgUiOptions = {}): Machine<unknown, ContextAnyEvent, AgUiEvent> {
  return toAgUi({ viewer: { audience: 'operator' }, ...options }) as Machine<
    unknown,
    ContextAnyEvent,
    AgUiEvent
  >
}

/** The reader, with a type that the laws take. */
export function reader(options: FromAgUiOptions = {}): Machine<unknown, AgUiEvent, ContextAnyEvent> {
  return fromAgUi({ now: () => 0, raw: true, showErrors: true, ...options }) as Machine<
    unknown,
    AgUiEvent,
    ContextAnyEvent
  >
}

/** The reader, whose host closes what never ended. */
export function closing(options: FromAgUiOptions = {}): Machine<unknown, AgUiEvent, ContextAnyEvent> {
  const machine = reader(options)
  return {
    initial: [machine.initial, emptyView],
    step(state, event) {
      const [inner, view] = state as [unknown, View]
      const step = machine.step(inner, event)
      return { ...step, state: [step.state, foldEvents(view, step.out)] }
    },
    end(state) {
      const [inner, view] = state as [unknown, View]
      const step = machine.end(inner)
      const at = '9999-12-31T23:59:59.999Z'
      const left = closeDangling(foldEvents(view, step.out), { reason: 'The stream ended.', at })
      return { ...step, out: [...step.out, ...left] }
    },
  }
}

/** All outputs of a machine. */
export function outputsOf<In, Out>(machine: Machine<unknown, In, Out>, inputs: readonly In[]): Out[] {
  return resultsOf(machine, inputs).flatMap(({ out }: Result<Out>) => [...out])
}

/** Whether a change of an artifact reaches clients: AG-UI has no other changes. */
export function isWritten({ change }: Extract<ContextAnyEvent, { kind: 'artifact-delta' }>): boolean {
  if (change.type === 'merge-patch') return !Object.values(change.patch).some(isFields)
  return change.type === 'json-patch'
}
