/** A field beside the state of a machine, for the machine around it. There is none while it has nothing. */

type Name = `~${string}`

/** The state of the machine itself, and the field beside it. */
export function splitField<State, Value>(state: State, name: Name): [state: State, value: Value | undefined] {
  if ((state as Readonly<Record<Name, unknown>>)[name] === undefined) return [state, undefined]
  const { [name]: value, ...inner } = state as State & Readonly<Record<Name, Value>>
  return [inner as State, value]
}

/** The state with a field beside it. */
export function withField<State>(state: State, name: Name, value: unknown): State {
  return value === undefined ? state : { ...state, [name]: value }
}
