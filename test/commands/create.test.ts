// Proves that created commands are valid, and that a draft that cannot be one throws.

import fc from 'fast-check'
import { type CommandDraft, createCommand, decodeCommand } from 'turnstream/commands'
import { expect, it } from 'vitest'
import { commandSchemas } from '../../src/commands/records/schemas.ts'
import { runs } from '../support/runs.ts'
import { accepted } from '../support/zod-arbitrary.ts'

const options = { now: () => 0, newId: () => 'cmd-1' }

it('fills in the id and the timestamp', () => {
  expect(createCommand({ kind: 'task.cancel', taskId: 't' }, options)).toEqual({
    kind: 'task.cancel',
    commandId: 'cmd-1',
    taskId: 't',
    timestamp: '1970-01-01T00:00:00.000Z',
  })
})

it('creates valid commands of every draft, and keeps an id and a timestamp', () => {
  const anyCommand = fc.oneof(...Object.values(commandSchemas).map((schema) => accepted(schema)))
  fc.assert(
    fc.property(anyCommand, (command) => {
      const { commandId: _, timestamp: __, ...draft } = command as Record<string, unknown>
      const created = createCommand(draft as unknown as CommandDraft<'task.cancel'>, options)
      expect(decodeCommand(created)).toEqual({ status: 'known', event: created })
      expect(createCommand(command as CommandDraft<'task.cancel'>, options)).toEqual(command)
    }),
    { numRuns: runs(200) },
  )
})

it('uses the platform for ids and time', () => {
  const [a, b] = [createCommand({ kind: 'task.cancel' }), createCommand({ kind: 'task.cancel' })]
  expect(a.commandId).not.toBe(b.commandId)
  expect(decodeCommand(a).status).toBe('known')
})

it.each<[draft: unknown, message: string]>([
  [{ kind: 'task.stop' }, '"kind" must be "task.send", "task.cancel"'],
  [{ kind: 'toString' }, '"kind" must be'],
  [{ kind: 'task.cancel', taskId: '' }, 'Invalid task.cancel command. /taskId: '],
  [{ kind: 'task.cancel', taskId: null }, 'Invalid task.cancel command. /taskId: '],
  [{ kind: 'input.respond', responses: [] }, 'Invalid input.respond command. /responses: '],
])('%j is refused', (draft, message) => {
  const create = (): unknown => createCommand(draft as CommandDraft<'task.cancel'>, options)
  expect(create).toThrow(TypeError)
  expect(create).toThrow(message)
})
