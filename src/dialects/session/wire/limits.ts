/** Bounds of the session machines. */

/** How many things are remembered as open, and ids of one plan. */
export const MOST = 1024
