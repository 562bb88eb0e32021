// Proves that decoding distinguishes known, unknown and invalid commands, loses nothing and never throws.

import fc from 'fast-check'
import { decodeCommand } from 'turnstream/commands'
import { describe, expect, it } from 'vitest'
import type { CommandKind } from '../../src/commands/command.ts'
import { commandKinds } from '../../src/commands/command.ts'
import { commandSchema, commandSchemas } from '../../src/commands/records/schemas.ts'
import { runs } from '../support/runs.ts'
import { accepted, damaged, json } from '../support/zod-arbitrary.ts'

const anyKnown = fc.oneof(...Object.values(commandSchemas).map((schema) => accepted(schema)))
const timestamp = '2026-03-14T08:00:30Z'

it('lists every kind of command', () => {
  expect(commandKinds).toEqual(Object.keys(commandSchemas))
})

describe('a known command', () => {
  it('is returned as it is', () => {
    fc.assert(
      fc.property(anyKnown, (command) => {
        const decoded = decodeCommand(command)
        expect(decoded.status).toBe('known')
        expect((decoded as { event: unknown }).event).toBe(command)
      }),
      { numRuns: runs(500) },
    )
  })

  it('loses the optional fields that are null', () => {
    const command = { kind: 'task.cancel', commandId: 'c', timestamp }
    expect(decodeCommand({ ...command, taskId: null, reason: null })).toEqual({
      status: 'known',
      event: command,
    })
  })

  it('keeps an answer that is null', () => {
    const command = {
      kind: 'input.respond',
      commandId: 'c',
      timestamp,
      responses: [{ inputId: 'i', value: null }],
    }
    expect(decodeCommand(command)).toEqual({ status: 'known', event: command })
  })
})

describe('any value', () => {
  it('decodes as the schemas say, and nothing throws', () => {
    fc.assert(
      fc.property(fc.oneof(damaged(anyKnown), json, fc.anything()), (value) => {
        const { status } = decodeCommand(value)
        const kind = (value as { kind?: unknown } | null | undefined)?.kind
        if (commandSchema.safeParse(value).success) expect(status).toBe('known')
        else if (status === 'unknown') expect(commandKinds).not.toContain(kind as CommandKind)
      }),
      { numRuns: runs(1000) },
    )
  })

  it('whose fields throw is unreadable', () => {
    const value = {
      get kind(): string {
        throw new Error('no')
      },
    }
    expect(decodeCommand(value)).toMatchObject({ status: 'invalid', issues: [{ code: 'unreadable' }] })
  })

  it('of a kind that is a property of all objects is an unknown command', () => {
    for (const kind of ['constructor', 'toString', '__proto__']) {
      expect(decodeCommand({ kind, commandId: 'c', timestamp }).status).toBe('unknown')
    }
  })

  it('that inherits its fields is invalid', () => {
    const value = Object.create({ kind: 'task.cancel', commandId: 'c', timestamp }) as unknown
    expect(decodeCommand(value).status).toBe('invalid')
  })
})
