/** Bounds of the session machines. */

/** Maximum number of open items, and of task ids of one plan. */
export const MAX_ITEMS = 1024
