/** Shapes that are one of several, or have no other fields: what few vocabularies need. */

import { describeValue } from '../core/require.ts'
import { compile } from './compile.ts'
import { type Fields, isFields } from './predicates.ts'
import { type Check, fault, isFull, mismatch, type Report } from './report.ts'
import type { CheckMaker, Shape, ShapeFields } from './shape.ts'

/** The number of unexpected fields that a message names. */
const MAX_NAMES = 4

/** A union fails as one, unless just one option is of the right type: then its faults are reported. */
export const union: CheckMaker<readonly Shape[]> = (shapes, objectCheck) => {
  const options = shapes.map((shape) => compile(shape, objectCheck))
  return (value, report) => {
    if (report === undefined) return options.some((check) => check(value))
    const attempt = (check: Check, changes: Partial<Report>): Report & { readonly isFit: boolean } => {
      const path = [...report.path]
      const inner = { ...report, issues: [], value, hasMismatch: false, path, ...changes }
      const isFit = check(value, inner)
      return { ...inner, isFit }
    }
    for (const check of options) {
      const { isFit, value: kept } = attempt(check, { limit: 0 })
      if (!isFit) continue
      report.value = kept
      return true
    }
    if (report.limit > 0) {
      // Other fields do not make an object one of another type.
      const [close, ...others] = options.filter(
        (check) => !attempt(check, { ignoresOthers: true }).hasMismatch,
      )
      if (close !== undefined && others.length === 0) {
        const { issues } = attempt(close, { limit: report.limit - report.issues.length })
        report.issues.push(...issues)
        return false
      }
    }
    return mismatch(report, 'one of the allowed forms', value, 'invalid-value')
  }
}

/** An object that has no other fields. One fault for all that it has, which names a few. */
export const noOthers: CheckMaker<ShapeFields> = (fields, objectCheck) => {
  const check = objectCheck(fields)
  return (value, report) => {
    const isFit = check(value, report)
    if (!isFields(value) || (!isFit && isFull(report)) || report?.ignoresOthers === true) return isFit
    const names = othersIn(value, fields)
    return names.length === 0
      ? isFit
      : fault(report, 'invalid-value', `Unexpected field: ${names.join(', ')}.`)
  }
}

function othersIn(object: Fields, fields: ShapeFields): string[] {
  const names: string[] = []
  for (const name in object) {
    if (Object.hasOwn(fields, name) || !Object.hasOwn(object, name)) continue
    names.push(describeValue(name))
    if (names.length === MAX_NAMES) break
  }
  return names
}
