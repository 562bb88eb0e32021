/** The events of AG-UI 1.0. */

import type { AgUiEvent } from '../types.generated.ts'

export type * from '../types.generated.ts'
export type * from './shared.ts'

/** The type of an event, such as `RUN_STARTED`. */
export type AgUiEventType = AgUiEvent['type']

/** The event of a type. */
export type AgUiEventOf<Type extends AgUiEventType> = Extract<AgUiEvent, { type: Type }>

/** An event of a type that this version does not know. Its fields are as received. */
export type UnknownAgUiEvent = {
  type: string
  [field: string]: unknown
}
