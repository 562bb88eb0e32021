/**
 * Logs in Redis: several processes append to a stream and read it, with any client of Redis.
 *
 * @packageDocumentation
 */

export type { RedisClient } from './client.ts'
export { type RedisEventLog, redisLog } from './redis-log.ts'
export { RedisLogError } from './redis-log-error.ts'
export { redisStore } from './redis-store.ts'
