/** The machine of a reader. */

import { type JsonMessage, readJsonMessage } from '../../core/json-message.ts'
import type { Machine } from '../../core/machine.ts'
import { type MachineState, opaque } from '../../core/machine-state.ts'
import { unicodeEvents } from './unicode.ts'

/** Makes a reader of the values of a protocol one that reads messages of `jsonDecoder` as well, and whose events are Unicode. */
export function reader<Name extends string, State extends object, In extends object, Out extends object>(
  machine: Machine<State, In, Out>,
): Machine<MachineState<Name>, In | JsonMessage, Out> {
  return opaque(
    unicodeEvents({
      ...machine,
      step: (state: State, input: In | JsonMessage) => machine.step(state, readJsonMessage(input)[0] as In),
    }),
  )
}
