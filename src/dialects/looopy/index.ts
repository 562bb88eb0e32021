/**
 * Looopy and the older Internal Event Protocol: reads their events, in each of the forms in which they are written.
 *
 * @packageDocumentation
 */

export { fromLooopy } from './from/from-looopy.ts'
