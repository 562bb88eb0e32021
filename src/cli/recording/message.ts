/** What a finding states, in one text. */

import type { Finding } from '../../inspect/check/finding.ts'

/** The message after the field that it is about, such as `/toolName: Missing: expected a string.` */
export function messageText({ path, message }: Pick<Finding, 'path' | 'message'>): string {
  return path === undefined || message.includes(path) ? message : `${path}: ${message}`
}
