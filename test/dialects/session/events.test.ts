// Each of the 45 documented events decodes as known, and each of its fields is required and validated.

import { describe, expect, it } from 'vitest'
import { decodeSessionEvent, sessionEventNames } from '../../../src/dialects/session/index.ts'
import { sessionEventSchema, sessionEventSchemas } from '../../../src/dialects/session/wire/schemas/index.ts'
import { documented } from './cases.ts'

type Json = Record<string, unknown>

/** Paths of all fields of envelope, content and metadata. */
function pathsOf({ event: _, ...event }: Json): string[] {
  return Object.entries(event).flatMap(([key, value]) =>
    (key === 'content' || key === 'metadata') && typeof value === 'object' && value !== null
      ? [key, ...Object.keys(value).map((inner) => `${key}.${inner}`)]
      : [key],
  )
}

function edited(event: Json, path: string, edit: (parent: Json, key: string) => void): Json {
  const copy = structuredClone(event)
  const [first = '', second] = path.split('.')
  if (second === undefined) edit(copy, first)
  else edit(copy[first] as Json, second)
  return copy
}

const pointer = (path: string): string => `/${path.replace('.', '/')}`

describe('the cases', () => {
  it('are the 45 documented events and the 9 extensions', () => {
    expect(sessionEventNames).toHaveLength(54)
    expect(documented.map(({ event }) => event.event).sort()).toEqual([...sessionEventNames].sort())
    expect(Object.keys(sessionEventSchemas)).toEqual([...sessionEventNames])
  })
})

describe.each(documented.map((each) => [each.event.event, each] as const))('%s', (name, each) => {
  const { event, direction, optional } = each
  const required = pathsOf(event).filter((path) => !optional.includes(path))
  const other = direction === 'client' ? 'server' : 'client'

  it('decodes to the same value', () => {
    const decoded = decodeSessionEvent(event, { direction })
    expect(decoded.status).toBe('known')
    expect(decoded.status === 'known' && decoded.event).toBe(event)
    expect(sessionEventSchema.safeParse(event).success).toBe(true)
  })

  it('is invalid from the other side', () => {
    const decoded = decodeSessionEvent(event, { direction: other })
    // A heartbeat goes both ways.
    if (name === 'system.heartbeat') return
    expect(decoded).toMatchObject({ status: 'invalid', issues: [{ code: 'invalid-value', path: '/event' }] })
  })

  it('accepts missing and null optional fields', () => {
    for (const path of optional) {
      const without = edited(event, path, (parent, key) => delete parent[key])
      expect(decodeSessionEvent(without), path).toMatchObject({ status: 'known', event: without })
      const nulled = edited(event, path, (parent, key) => {
        parent[key] = null
      })
      expect(decodeSessionEvent(nulled).status, path).toBe('known')
    }
  })

  it('requires each other field', () => {
    for (const path of required) {
      const without = edited(event, path, (parent, key) => delete parent[key])
      const decoded = decodeSessionEvent(without)
      expect(decoded, path).toMatchObject({ status: 'invalid', value: without })
      expect(decoded.status === 'invalid' && decoded.issues.map((issue) => issue.path), path).toEqual([
        pointer(path),
      ])
    }
  })

  it('validates the type of each field', () => {
    for (const path of pathsOf(event)) {
      if (path.endsWith('result')) continue // Any JSON.
      const wrong = edited(event, path, (parent, key) => {
        parent[key] = [[]]
      })
      const decoded = decodeSessionEvent(wrong)
      expect(decoded.status, path).toBe('invalid')
      const [issue] = decoded.status === 'invalid' ? decoded.issues : []
      expect(issue?.path.startsWith(pointer(path)), `${path}: ${issue?.path}`).toBe(true)
    }
  })

  it('keeps unknown fields', () => {
    const more = { ...event, extra: { a: null } }
    expect(decodeSessionEvent(more)).toEqual({ status: 'known', event: more })
  })
})
