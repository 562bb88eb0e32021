/** Whether two requests with one id are the same request, applied twice. */

import { base64Of, textDigest } from '../../encoding/sha256.ts'
import { canonicalJson } from '../../json/canonical.ts'
import type { RequestRecord } from './state.ts'

/** The fields in which two requests differ: only the time of a request that is applied again may. */
export function differencesOf(a: RequestRecord, b: RequestRecord): string[] {
  if (a.forgotten !== undefined) return a.forgotten.content === contentKeyOf(b) ? [] : ['content']
  const [one, other] = [contentOf(a), contentOf(b)]
  const names = Object.keys({ ...one, ...other })
  return names.filter((name) => one[name] !== other[name] || one[name] === TOO_DEEP)
}

/** A digest of the content of a request. */
export function contentKeyOf(request: RequestRecord): string {
  if (request.forgotten !== undefined) return request.forgotten.content
  const text = canonicalJson(JSON.parse(JSON.stringify(contentOf(request)))) ?? ''
  return base64Of(textDigest(text), CONTENT_LENGTH)
}

/** How long that digest is. */
export const CONTENT_LENGTH = 8

function contentOf(request: RequestRecord): Record<string, unknown> {
  const { prompt, inputType, requireUser, isExecution = false, audience, call, digests } = request
  return {
    ...{ prompt, inputType, requireUser, isExecution, audience: audience?.join() },
    toolCall: call && JSON.stringify([call.toolCallId, call.toolName, call.digest]),
    ...digests,
  }
}

/** In the place of a digest: equal to nothing, as what it is for cannot be compared. */
const TOO_DEEP = 'too deep'

/** A digest of each field that is there. */
export function digestsOf(fields: Readonly<Record<string, unknown>>): Pick<RequestRecord, 'digests'> {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  if (present.length === 0) return {}
  const digests = present.map(([name, value]) => {
    const text = canonicalJson(value)
    return [name, text === undefined ? TOO_DEEP : textDigest(text)]
  })
  return { digests: Object.fromEntries(digests) as Record<string, string> }
}
