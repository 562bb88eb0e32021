/** Following a log to its end. */

export { follow } from './follow.ts'
