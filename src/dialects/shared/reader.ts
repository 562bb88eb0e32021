/** The machine of a reader. */

import { asJsonMessage, type JsonMessage } from '../../core/json-message.ts'
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
      step(state: State, input: In | JsonMessage) {
        const message = asJsonMessage(input)
        return machine.step(state, (message === undefined ? input : message.value) as In)
      },
    }),
  )
}
