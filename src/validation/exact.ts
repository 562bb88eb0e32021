/** Checks of objects that have no other fields than those that are declared. */
import { compile } from './compile.ts'
import { type Fields, isPlain } from './predicates.ts'
import type { Check } from './report.ts'
import type { Shape, ShapeFields } from './shape.ts'

/**
 * Compiles a shape to a check that only tests: whether a value fits, and objects at every level have only the fields that
 * are declared. One without any is a value, which may have all.
 */
export function exactCheck(shape: Shape): Check {
  return compile(shape, exactFields)
}

function exactFields(fields: ShapeFields): Check {
  const declared = Object.entries(fields).map(([name, shape]) => {
    const isOptional = shape[0] === 'maybe'
    return { name, isOptional, check: exactCheck(isOptional ? shape[1] : shape) }
  })
  return (value) => {
    if (!isPlain(value)) return false
    let found = 0
    for (let i = 0; i < declared.length; i++) {
      const { name, isOptional, check } = declared[i] as (typeof declared)[number]
      const field = value[name]
      if (field === undefined ? !isOptional : !check(field)) return false
      if (field !== undefined) found++
    }
    return declared.length === 0 || found === countKeys(value)
  }
}

/** How many fields an object has. Faster than `Object.keys`. */
function countKeys(object: Fields): number {
  let count = 0
  for (const _ in object) count++
  return count
}
