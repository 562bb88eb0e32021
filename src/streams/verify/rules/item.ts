/** The calls, thoughts and requests of tasks: which events they have, in which order. */

import { describeValue } from '../../../core/require.ts'
import { type Lifecycle, phaseAfter } from '../../../rules/lifecycle.ts'
import type { CheckContext } from '../context.ts'
import type {
  AuthRuleName,
  InputRuleName,
  ThoughtRuleName,
  ToolArgumentsRuleName,
  ToolRuleName,
} from '../rule-names.ts'
import type { CallState, RequestState, ThoughtState } from '../state/verifier-state.ts'

type Rule = AuthRuleName | InputRuleName | ThoughtRuleName | ToolArgumentsRuleName | ToolRuleName

interface ItemLifecycle<Kind extends string, Phase extends string> extends Lifecycle<Kind, Phase, Rule> {
  /** The field with the id. */
  readonly idField: string
  /** The phase that an item may be in without its earlier events having been seen. */
  readonly unseen?: Phase
}

const calls: ItemLifecycle<
  'tool-arguments-delta' | 'tool-start' | 'tool-progress' | 'tool-complete' | 'tool-complete failed',
  'new' | CallState['state']
> = {
  idField: 'toolCallId',
  phases: ['new', 'writing', 'running', 'ended'],
  events: {
    'tool-arguments-delta': ['writing', 'writing', 'arguments-before-start', 'arguments-before-start'],
    'tool-start': ['running', 'running', 'tool-call-once', 'tool-call-once'],
    'tool-progress': ['tool-call-open', 'tool-call-open', 'running', 'tool-call-open'],
    'tool-complete': ['tool-call-open', 'tool-call-open', 'ended', 'tool-call-open'],
    // Its arguments may have been cut off.
    'tool-complete failed': ['tool-call-open', 'ended', 'ended', 'tool-call-open'],
  },
  unseen: 'running',
}

const thoughts: ItemLifecycle<'thought-delta' | 'thought-stream', 'new' | ThoughtState['state']> = {
  idField: 'thoughtId',
  phases: ['new', 'open', 'complete'],
  events: {
    'thought-delta': ['open', 'open', 'thought-once'],
    'thought-stream': ['complete', 'complete', 'thought-once'],
  },
}

type RequestPhase = 'new' | RequestState['state']

const inputs: ItemLifecycle<'input-required' | 'input-received' | 'input-canceled', RequestPhase> = {
  idField: 'inputId',
  phases: ['new', 'open', 'answered', 'ended'],
  events: {
    'input-required': ['open', 'input-once', 'input-once', 'input-once'],
    'input-received': ['input-open', 'answered', 'input-open', 'input-open'],
    'input-canceled': ['input-open', 'answered', 'input-open', 'input-open'],
  },
  unseen: 'open',
}

const auths: ItemLifecycle<'auth-required' | 'auth-completed' | 'auth-failed', RequestPhase> = {
  idField: 'authId',
  phases: ['new', 'open', 'answered', 'ended'],
  events: {
    'auth-required': ['open', 'auth-once', 'auth-once', 'auth-once'],
    'auth-completed': ['auth-open', 'answered', 'auth-open', 'auth-open'],
    'auth-failed': ['auth-open', 'answered', 'auth-open', 'auth-open'],
  },
  unseen: 'open',
}

interface Lifecycles {
  readonly calls: typeof calls
  readonly thoughts: typeof thoughts
  readonly inputs: typeof inputs
  readonly auths: typeof auths
}

const lifecycles: Lifecycles = { calls, thoughts, inputs, auths }

type ItemStore = keyof Lifecycles

/** The kinds of the events of items. */
export type ItemKind<S extends ItemStore> = keyof Lifecycles[S]['events'] & string

interface ItemStates {
  readonly calls: CallState
  readonly thoughts: ThoughtState
  readonly inputs: RequestState
  readonly auths: RequestState
}

/** The item of an event that is in its place. */
export interface EnteredItem<S extends ItemStore> {
  readonly key: string
  /** The item before the event. `undefined` if nothing of it was seen. */
  readonly known: ItemStates[S] | undefined
  /** Its phase after the event. */
  readonly state: ItemStates[S]['state']
}

/** The item of an event. `undefined` if the event is out of place, which is reported. */
export function enterItem<S extends ItemStore>(
  context: CheckContext,
  store: S,
  kind: ItemKind<S>,
  id: string,
): EnteredItem<S> | undefined {
  const lifecycle: ItemLifecycle<string, string> = lifecycles[store]
  const { idField, unseen } = lifecycle
  const key = context.itemKey(id)
  const known = context.get(store, key) as ItemStates[S] | undefined
  const phase = known?.state ?? 'new'
  // A thought may refer to another thought and to a call alike.
  const owner = (): string => `${unseen === 'open' ? store : ''} ${context.contextKey(id)}`
  const report = (rule: Rule): void => {
    const shownId = `${idField} ${describeValue(id)}`
    const whole = store === 'calls' ? 'tool-start' : 'thought-stream'
    let message = `${shownId} is no longer open.`
    if (kind.endsWith('-delta')) message = `Expected no ${kind} after the ${whole} of ${shownId}.`
    else if (rule.endsWith('-once')) message = `Duplicate ${kind} for ${shownId}.`
    else if (phase === 'new') message = context.unknownId(shownId, owner())
    else if (phase === 'writing') message = `${shownId} has not started.`
    context.report(rule, message, { path: `/${idField}`, actual: id })
  }
  const state = phaseAfter(lifecycle, kind, phase, report, context.isTaskPartial ? unseen : undefined)
  if (state === undefined) return undefined
  if (known === undefined) context.own(owner())
  return { key, known, state: state as ItemStates[S]['state'] }
}
