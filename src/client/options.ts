/** What a client needs. */

import {
  mismatch,
  optional,
  requireFunction,
  requireObject,
  requireOnly,
  requireText,
} from '../core/require.ts'
import { requireFeatures, type ViewFeatures } from '../streams/view/fold/features.ts'
import { requireView } from '../streams/view/require-view.ts'
import { emptyView } from '../streams/view/view.ts'
import type { Saved } from './state.ts'

/** Options of `agentClient` and `useAgent`. */
export interface AgentClientOptions extends ViewFeatures {
  /** The conversation. Omitted: the one that each user has, `main`. */
  readonly contextId?: string | undefined
  /**
   * Sends requests: for headers such as a token, or cookies of another origin. Omitted: the `fetch` of the platform, and one tab of a
   * browser reads for all: browsers open few connections to a host.
   */
  readonly fetch?: typeof fetch | undefined
  /** What `save` returned before a reload, of the same user. Omitted: nothing is known. */
  readonly saved?: Saved | undefined
}

/** The options with their defaults, and the URLs. */
export interface ClientSettings {
  readonly url: string
  readonly historyUrl: (before: string) => string
  readonly fetch: typeof fetch
  /** Whether requests have nothing that other tabs do not have. */
  readonly isShared: boolean
  readonly saved: Saved
  readonly features: ViewFeatures
}

const names = ['contextId', 'fetch', 'saved', 'artifactPatches', 'partialArguments']

/** Throws a TypeError for invalid options. */
export function clientSettings(url: string, options: AgentClientOptions): ClientSettings {
  requireText('url', url)
  requireOnly('options', options, names)
  const { contextId, fetch: send, saved = { view: emptyView }, artifactPatches, partialArguments } = options
  optional(requireText, 'contextId', contextId)
  optional(requireFunction, 'fetch', send)
  requireObject('saved', saved)
  requireView(saved.view)
  if (saved.kept !== undefined) requireView(saved.kept)
  const features = { artifactPatches, partialArguments }
  requireFeatures(features)
  const [path = '', query] = url.split('?', 2)
  if (path.includes('#')) throw mismatch('url', 'a URL without a fragment', url)
  const urlOf = (suffix: string, more: Readonly<Record<string, string>> = {}): string => {
    const params = new URLSearchParams(query)
    if (contextId !== undefined) params.set('context', contextId)
    for (const [name, value] of Object.entries(more)) params.set(name, value)
    return `${path}${suffix}${params.size > 0 ? `?${params}` : ''}`
  }
  return {
    url: urlOf(''),
    historyUrl: (before) => urlOf('/history', { before }),
    // The function of the platform must be called as its own.
    fetch: send ?? ((...args) => fetch(...args)),
    isShared: send === undefined,
    saved,
    features,
  }
}
