/** State types of the public surface: private but for the fields they document. */

import type { Machine } from './machine.ts'

/** A name for the state of one machine. Exists in types only. */
declare const machineName: unique symbol

/**
 * The state of a machine between two inputs: plain JSON to store and to pass to {@link run} later.
 *
 * `Fields` are documented and may be read. All other fields are private: their names and shapes may change
 * in any release, and a stored state resumes only under the version that wrote it.
 *
 * @typeParam Name - The function that makes the machine, so that states of different machines do not mix.
 */
export type MachineState<Name extends string, Fields extends object = object> = Fields & {
  readonly [machineName]?: Name
}

/** The same machine with its state hidden behind {@link MachineState}. Costs nothing at run time. */
export function opaque<Name extends string, Fields extends object, State extends Fields, In, Out, End>(
  machine: Machine<State, In, Out, End>,
): Machine<MachineState<Name, Fields>, In, Out, End> {
  return machine as unknown as Machine<MachineState<Name, Fields>, In, Out, End>
}
