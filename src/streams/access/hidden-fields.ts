/** Diagnostics for what clients do not see because no schema allows it. */

import type { Diagnostic } from '../../core/machine.ts'
import { describeValue } from '../../core/require.ts'
import { toPointer } from '../../encoding/pointer.ts'
import type { HiddenField } from './projection.ts'

/** At most this many fields are reported: a hostile producer may invent any number. */
const MAX_REPORTED = 64

/** Reports each field once per kind, as `hidden:<field>`, or as `invalid-event` if it hides its event. */
export function hiddenFieldReporter(
  onDiagnostic: (diagnostic: Diagnostic) => void,
): (field: HiddenField) => void {
  const reported = new Set<string>()
  return (field) => {
    const key = keyOfHidden(field)
    if (reported.has(key) || reported.size === MAX_REPORTED) return
    reported.add(key)
    onDiagnostic(hiddenField(field))
  }
}

/** Those of some fields that were not reported before, and the keys of all that were. For states of machines. */
export function newlyHidden(
  fields: readonly HiddenField[],
  reported: readonly string[],
): { readonly diagnostics: readonly Diagnostic[]; readonly reported: readonly string[] } {
  const known = new Set(reported)
  const diagnostics: Diagnostic[] = []
  for (const field of fields) {
    const key = keyOfHidden(field)
    if (known.has(key) || known.size === MAX_REPORTED) continue
    known.add(key)
    diagnostics.push(hiddenField(field))
  }
  return { diagnostics, reported: diagnostics.length === 0 ? reported : [...known] }
}

function hiddenField({ kind, path, issue }: HiddenField): Diagnostic {
  if (issue !== undefined) {
    const message = `Clients do not see this ${kind} event: it is not valid. ${issue.message}`
    return { code: 'invalid-event', message, path: issue.path, detail: [issue] }
  }
  const names = path.map((name) => String(name).slice(0, 64))
  const [field = ''] = names
  const remedy =
    field === 'metadata' && names.length === 2
      ? 'Name it in "metadata" of the viewer, or give it a name with a dot, such as "acme.rating".'
      : 'Put values of an application into metadata, under a name with a dot, such as "acme.rating".'
  return {
    code: `hidden:${field}`,
    message: `${kind}: clients see only declared fields, not ${describeValue(names.join('.'))}. ${remedy}`,
    path: toPointer(names),
  }
}

function keyOfHidden({ kind, path }: HiddenField): string {
  return toPointer([kind, ...path.map((name) => String(name).slice(0, 64))])
}
