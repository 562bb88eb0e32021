/** A conversation in a component. */

import { useState, useSyncExternalStore } from 'react'
import { type AgentClient, agentClient } from '../client/agent-client.ts'
import type { AgentClientOptions } from '../client/options.ts'
import type { AgentState } from '../client/state.ts'

/**
 * The state of a conversation, and what its user does: those of `agentClient`. It is connected while the component is mounted. On a
 * server, it is what `saved` has.
 *
 * @param options - As those of `agentClient`. Another `contextId` is another conversation; the other options count when it begins.
 * @throws TypeError if an argument is invalid.
 *
 * @example
 * ```ts
 * const { view, send } = useAgent('/agent')
 * ```
 */
export function useAgent(
  url: string,
  options: AgentClientOptions = {},
): AgentState & Omit<AgentClient, 'getSnapshot' | 'subscribe'> {
  const { contextId } = options
  const [current, setCurrent] = useState(() => ({ url, contextId, client: agentClient(url, options) }))
  let { client } = current
  if (current.url !== url || current.contextId !== contextId) {
    client = agentClient(url, options)
    setCurrent({ url, contextId, client })
  }
  const { getSnapshot, subscribe, ...actions } = client
  return { ...useSyncExternalStore(subscribe, getSnapshot, getSnapshot), ...actions }
}
