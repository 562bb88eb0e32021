/** What is checked once for each client, when the first log is opened with it. */
import type { RedisCommands } from './client.ts'
import { messageOf, type Operations, remedyFor } from './operations.ts'
import type { Settings } from './options.ts'
import { RedisLogError } from './redis-log-error.ts'
import { COMMANDS } from './rights.ts'
import { subscribe, useShards } from './subscriptions.ts'

/** How long to wait for the answer to a subscription. */
const SUBSCRIBE_MS = 1000

/** The checks by client and prefix. */
const checks: WeakMap<object, Map<string, Promise<void>>> = new WeakMap()

/**
 * Requires the right to all commands and channels, and reports a client that cannot subscribe.
 *
 * @throws RedisLogError `refused` that names what is missing; `unavailable`.
 */
export function checkOnce(
  settings: Settings,
  commands: RedisCommands,
  operations: Operations,
): Promise<void> {
  const { client, prefix } = settings
  const own = checks.get(client) ?? new Map<string, Promise<void>>()
  checks.set(client, own)
  let checking = own.get(prefix)
  if (checking === undefined) {
    checking = check(settings, commands, operations)
    own.set(prefix, checking)
    // The next one that is opened may be lucky.
    checking.catch(() => own.delete(prefix))
  }
  return checking
}

async function check(
  { client, prefix, stream, onDiagnostic }: Settings,
  commands: RedisCommands,
  operations: Operations,
): Promise<void> {
  const refusal = (what: string, cause?: unknown): RedisLogError => {
    const rights = `~${prefix}* &${prefix}* ${COMMANDS}`
    const message = `Redis refuses what stream "${stream}" needs: ${what}. Grant its user, with ACL SETUSER: ${rights}`
    return new RedisLogError('refused', message, cause)
  }
  const [isCluster, ...refused] = await operations.run('check').catch((error: unknown) => {
    throw isMissingRight(error) ? refusal(messageOf(error.cause), error.cause) : error
  })
  if (refused.length > 0) {
    const all = refused.join(', ')
    const remedy = remedyFor(all)
    if (remedy === '') throw refusal(all)
    throw new RedisLogError('refused', `Redis refuses what stream "${stream}" needs: ${all}.${remedy}`)
  }
  const reportPolling = (why: string): void =>
    onDiagnostic?.({
      code: 'polling',
      message: `Expected a client that can subscribe to "${operations.channel}", got one that cannot${why}: each stream with a waiting reader asks Redis four times a second.`,
      detail: { stream },
    })
  if (commands.openSubscriber === undefined) return reportPolling('')
  if (Number(isCluster) === 1) useShards(client, commands)
  const subscription = subscribe(client, commands, operations)
  try {
    await subscription.ready(SUBSCRIBE_MS, undefined)
    const failure = subscription.failure()
    if (isMissingRight(failure)) throw refusal(`SUBSCRIBE (${failure.message})`, failure)
    if (failure !== undefined) reportPolling(` (${messageOf(failure)})`)
  } finally {
    subscription.end()
  }
}

/** What Redis answers if its user lacks a right. */
function isMissingRight(error: unknown): error is Error {
  return error instanceof Error && error.message.includes('NOPERM')
}
