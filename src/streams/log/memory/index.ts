/** A log in memory. */

export { createMemoryLog, type MemoryEventLog } from './memory-log.ts'
