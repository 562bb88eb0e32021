/** What `toAgUi` writes beside the vocabulary of AG-UI. */

/** The prefix of the `CUSTOM` events that carry an event of the core vocabulary. */
export const CARRIED = 'turnstream:'

/** The `reason` of the interrupt that asks for an authentication. */
export const AUTH_REASON = 'auth-required'

/** The `activityType` of the progress of a tool. */
export const PROGRESS = 'turnstream.tool-progress'

/** The `name` of the custom events that stand for events of AG-UI without an equivalent. */
export const FOREIGN = { custom: 'ag-ui.custom', raw: 'ag-ui.raw', step: 'ag-ui.step' } as const

/** The artifact of the state that agent and client share. */
export const STATE = 'state'
