/** The limit of timers. */

/** The longest delay of a platform's timer, in milliseconds: 24 days. Timers with a longer one are due at once. */
export const MAX_TIMEOUT_MS: number = 2 ** 31 - 1
