/** How a remote agent is reached. */

import type { Diagnostic } from '../../core/machine.ts'
import { optional, requireArray, requireFunction, requireOnly, requireText } from '../../core/require.ts'
import type { Source } from '../../core/source.ts'

/** What a remote agent answers with: a `Response` of `fetch` is one. */
export interface RemoteResponse {
  readonly ok: boolean
  readonly status: number
  readonly body: Source<Uint8Array | string> | null
}

/** A tool that the client runs, such as a page. */
export interface ClientTool {
  readonly name: string
  /** What it does, for the model. Omitted: empty. */
  readonly description?: string
  /** The JSON Schema of its arguments. Omitted: any object. */
  readonly parameters?: Readonly<Record<string, unknown>>
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
  /**
   * The tools that the client runs: only these may the agent leave to it. `agUiAgent` declares them in each request; other agents
   * know them already. Omitted: none. A call of any other tool that is left to the client fails the task, and nobody is asked to run it.
   */
  readonly clientTools?: readonly ClientTool[]
  /**
   * Called with the diagnostics of the reader: `lossy:metadata` for a `metadata.audience` of the agent, which does not decide who sees
   * its events. Omitted: nothing is reported.
   */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void
}

/** Throws a TypeError for invalid options. */
export function requireRemote(options: RemoteAgentOptions<never>, more: readonly string[] = []): void {
  requireOnly('options', options, ['post', 'clientTools', 'onDiagnostic', ...more])
  const { post, clientTools = [] } = options
  requireFunction('post', post)
  requireArray('clientTools', clientTools)
  for (const tool of clientTools) {
    requireOnly('clientTools[]', tool, ['name', 'description', 'parameters'])
    requireText('clientTools[].name', tool.name)
  }
  optional(requireFunction, 'onDiagnostic', options.onDiagnostic)
}
