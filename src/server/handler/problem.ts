/** Responses without what was asked for. */

import type { Refusal } from './conversations.ts'

/** That of a request that is refused. */
export function refused({ status, message, stream }: Refusal): Response {
  return Response.json({ error: message, stream }, { status })
}

/** A response with an error for developers. */
export function problem(
  status: number,
  error: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ error }, { status, headers: { ...headers } })
}
