/** Errors that other systems state: their texts may quote keys, addresses and prompts. */

import type { ErrorInfo } from '../../events/error.ts'

/** An error whose text is in its details, for operators, unless users may see it. */
export function foreignError(
  error: Pick<ErrorInfo, 'code' | 'retry'>,
  text: string,
  isShown: boolean | undefined,
): ErrorInfo {
  if (isShown === true) return { ...error, message: text }
  return { ...error, message: 'The agent failed.', details: { message: text } }
}
