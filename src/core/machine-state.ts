/** The public type of machine states: opaque except for the fields they document. */

import type { Machine } from './machine.ts'

/**
 * The state of a machine between two inputs: plain JSON to store and to pass to {@link run} later.
 *
 * `Fields` are documented and may be read. All other fields are private: their names and shapes may change
 * in any release, and a stored state can be resumed only by the version that wrote it. The type of the state of
 * a given machine is `typeof machine.initial`.
 *
 * @typeParam Name - The function that creates the machine. Keeps the states of different machines apart.
 * @typeParam Fields - The documented fields.
 */
export type MachineState<Name extends string, Fields extends object = object> = Fields & {
  /** Exists only in types. A string key, so that the declarations of other packages can name it. */
  readonly '~machine'?: Name
}

/** Returns the machine itself, with its state typed as {@link MachineState}. */
export function opaque<Name extends string, Fields extends object, State extends Fields, In, Out, End>(
  machine: Machine<State, In, Out, End>,
): Machine<MachineState<Name, Fields>, In, Out, End> {
  return machine as unknown as Machine<MachineState<Name, Fields>, In, Out, End>
}
