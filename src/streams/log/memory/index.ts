/** A log in memory. */

export type { LogLimits } from './log-state.ts'
export { createMemoryLog, type MemoryEventLog } from './memory-log.ts'
