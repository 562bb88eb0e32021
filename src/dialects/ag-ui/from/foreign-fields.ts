/** Reports the fields of an event that the protocol does not know: no event of the core vocabulary has them. */

import { MAX_DIAGNOSTICS } from '../../../core/step-builder.ts'
import { toPointer } from '../../../encoding/pointer.ts'
import { isFields } from '../../../validation/predicates.ts'
import type { Shape, ShapeFields } from '../../../validation/shape.ts'
import { eventShapes } from '../wire/shapes.generated.ts'
import type { AgUiEvent } from '../wire/types/index.ts'
import type { RunWriter } from './state.ts'

/** Reports each field that the type of the event does not have as `lossy:<field>`, at most 32 of them. */
export function reportForeignFields(writer: RunWriter, event: AgUiEvent): void {
  const max = writer.diagnostics.length + MAX_DIAGNOSTICS
  visitFields(eventShapes[event.type] ?? {}, event, 'type', [])

  function visitFields(fields: ShapeFields, value: object, tag: string | undefined, path: string[]): void {
    for (const name of Object.keys(value)) {
      if (writer.diagnostics.length >= max) return
      const field = (value as Readonly<Record<string, unknown>>)[name]
      if (name === tag || field === undefined) continue
      if (!Object.hasOwn(fields, name)) report([...path, name])
      // Most fields hold text: they need no path.
      else if (typeof field === 'object') visit(fields[name] as Shape, field, [...path, name])
    }
  }

  function visit(shape: Shape, value: unknown, path: string[]): void {
    if (typeof shape === 'string' || typeof value !== 'object' || value === null) return
    switch (shape[0]) {
      case 'maybe':
      case 'nullable':
        visit(shape[1], value, path)
        return
      case 'list':
        if (!Array.isArray(value)) return
        for (const [i, item] of value.entries()) visit(shape[1], item, [...path, String(i)])
        return
      case 'or':
        for (const option of shape[1]) visit(option, value, path)
        return
      case 'by': {
        const [, tag, shapes] = shape
        const own = isFields(value) ? shapes[String(value[tag])] : undefined
        if (Array.isArray(own) && own[0] === 'fields') visitFields(own[1], value, tag, path)
        return
      }
      case 'fields':
        // An object without fields of its own is free content, and events have the operations of a patch as they are.
        if (Object.keys(shape[1]).length > 0 && !('op' in shape[1]))
          visitFields(shape[1], value, undefined, path)
    }
  }

  function report(path: string[]): void {
    const [field = ''] = path
    const message = `Expected a field of ${event.type}, got ${path.join('.')}; no event has it.`
    writer.diagnostic(`lossy:${field}`, message, { path: toPointer(path) })
  }
}
