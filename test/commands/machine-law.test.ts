// Proves that the state of the ledger is plain JSON, that it mutates nothing, and that no value makes it throw.

import fc from 'fast-check'
import { describe, it } from 'vitest'
import { commandLedger } from '../../src/commands/ledger/ledger.ts'
import type { LedgerInput } from '../../src/commands/ledger/types.ts'
import { commandSchemas } from '../../src/commands/records/schemas.ts'
import { contextEventSchemas } from '../../src/events/records/schemas.ts'
import { expectMachineLaw } from '../support/law.ts'
import { accepted, damaged, json } from '../support/zod-arbitrary.ts'

/** Ids of a small set, so that commands meet the requests of events. */
const id = fc.constantFrom('a', 'b')
const timestamp = fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z', '2026-01-01T02:00:00+01:00')
const context = { contextId: fc.constant('ctx-1'), taskId: id, timestamp }
const call = fc.record({
  id,
  function: fc.record({ name: fc.constant('t'), arguments: fc.constantFrom('{}', '{', '') }),
})

const event = fc.oneof(
  fc.record({
    ...context,
    ...{
      kind: fc.constant('input-required'),
      inputId: id,
      inputType: fc.constant('custom'),
      prompt: fc.constant(''),
    },
    schema: fc.record({ type: fc.constantFrom('string', 'object') }),
    metadata: fc.record({ toolCall: call, timeout: fc.nat(90) }, { requiredKeys: [] }),
  }),
  fc.record({
    ...context,
    ...{
      kind: fc.constant('tool-start'),
      toolCallId: id,
      toolName: fc.constant('t'),
      arguments: fc.constant({}),
    },
    metadata: fc.record({ provider: fc.constant('client') }),
  }),
  fc.record({
    ...context,
    kind: fc.constant('task-status'),
    status: fc.constantFrom('waiting-input', 'completed'),
  }),
  ...Object.values(contextEventSchemas).map((schema) => accepted(schema)),
)

const command = fc.oneof(
  fc.record({
    ...{ kind: fc.constant('input.respond'), commandId: id, timestamp },
    responses: fc.array(fc.record({ inputId: id, value: json }, { requiredKeys: ['inputId'] }), {
      minLength: 1,
    }),
  }),
  fc.record({
    kind: fc.constant('tool.result'),
    commandId: id,
    timestamp,
    toolCallId: id,
    success: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('task.cancel'), commandId: id, timestamp, taskId: id }),
  ...Object.values(commandSchemas).map((schema) => accepted(schema)),
)

const sender = fc.record({ role: fc.constantFrom('user', 'observer'), id })
const input = fc.oneof(
  fc.record({ type: fc.constant('event'), event }),
  fc.record({
    type: fc.constant('command'),
    command: fc.oneof(command, damaged(command)),
    sender,
    at: timestamp,
  }),
  fc.record({ type: fc.constant('time'), at: timestamp }),
  json,
) as fc.Arbitrary<LedgerInput>

describe('commandLedger', () => {
  it('obeys the law of machines', () => expectMachineLaw(commandLedger(), input))
  it('obeys the law of machines when it forgets', () =>
    expectMachineLaw(commandLedger({ maxEntries: 1 }), input))
})
