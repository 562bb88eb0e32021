/**
 * Logs in Redis: several processes append to a stream and read it, with any client of Redis.
 *
 * @packageDocumentation
 */

export type {
  IoRedisClient,
  NodeRedisClient,
  RedisClient,
  RedisCommands,
  RedisSubscriber,
  SubscriberListener,
} from './client.ts'
export type { RedisLogOptions } from './options.ts'
export { type RedisEventLog, redisLog } from './redis-log.ts'
export { RedisLogError, type RedisLogErrorCode } from './redis-log-error.ts'
export { type RedisStoreOptions, redisStore } from './redis-store.ts'
