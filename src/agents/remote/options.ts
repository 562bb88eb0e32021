/** How a remote agent is reached. */

import type { Diagnostic } from '../../core/machine.ts'
import { optional, requireFunction, requireOnly } from '../../core/require.ts'
import type { Source } from '../../core/source.ts'

/** What a remote agent answers with: a `Response` of `fetch` is one. */
export interface RemoteResponse {
  readonly ok: boolean
  readonly status: number
  readonly body: Source<Uint8Array | string> | null
}

/** Options of a remote agent. */
export interface RemoteAgentOptions<Request> {
  /**
   * Posts a request, as JSON, and returns the response. A promise that rejects is an agent that cannot be reached.
   *
   * @param request - The body: plain JSON.
   * @param options - Pass the signal on, so that a task that is canceled costs no more.
   */
  readonly post: (
    request: Request,
    options: { readonly signal: AbortSignal },
  ) => PromiseLike<RemoteResponse> | RemoteResponse
  /** Called with the diagnostics of the reader. Omitted: nothing is reported. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
}

/** Throws a TypeError for invalid options. */
export function requireRemote(options: RemoteAgentOptions<never>, more: readonly string[] = []): void {
  requireOnly('options', options, ['post', 'onDiagnostic', ...more])
  requireFunction('post', options.post)
  optional(requireFunction, 'onDiagnostic', options.onDiagnostic)
}
