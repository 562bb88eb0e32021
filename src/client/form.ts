/** Forms as input. */

import { setMember } from '../core/mutable.ts'
import { mismatch } from '../core/require.ts'

/**
 * The input that a form states: the text of its only field, or an object of the texts by the names of the fields. `undefined` if it
 * is only an empty text.
 *
 * @throws TypeError for files: upload them, and send where they are.
 */
export function inputOf(form: FormData): string | Record<string, string> | undefined {
  const fields: Record<string, string> = {}
  let count = 0
  let text = ''
  form.forEach((value, name) => {
    if (typeof value !== 'string') throw mismatch(`form.${name}`, 'a text', value)
    setMember(fields, name, value)
    text = value
    count++
  })
  if (count > 1) return fields
  return text.trim() === '' ? undefined : text
}
