/** How much of an event another vocabulary can say. */

/**
 * What becomes of an event in another vocabulary:
 *
 * - `full`: it is said in full
 * - `partial`: it is said without some of its fields, or only some events of its kind are
 * - `omitted`: it is left out
 */
export type Coverage = 'full' | 'partial' | 'omitted'
