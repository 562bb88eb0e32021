/** How much of an event a mapper keeps. */

/**
 * How much of an event survives mapping to another format:
 *
 * - `full`: all of its own fields
 * - `partial`: some of its fields, or only some events of its kind
 * - `omitted`: nothing; the event is dropped
 */
export type Coverage = 'full' | 'partial' | 'omitted'
