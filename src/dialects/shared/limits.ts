/** The limits of all formats: how much of a stream their machines store. */

/** Items, calls, tasks, requests that were made, messages: at least this many are stored, and at most twice as many. */
export const MAX_ITEMS = 1024

/** Requests that are open at once. */
export const MAX_REQUESTS = 256

/** Longer arguments are not compared with those that were streamed, in UTF-16 code units. */
export const MAX_ARGUMENTS: number = 1 << 20

/** Longer texts are read as several, and none that are longer are sent again when one is revised, in UTF-16 code units. */
export const MAX_TEXT: number = 1 << 20

/** Artifacts of which a snapshot can be made. */
export const MAX_ARTIFACTS = 32_768
