// Proves that the machines of this folder obey the machine law: plain state, nothing mutated.

import fc from 'fast-check'
import { describe, test } from 'vitest'
import {
  agentEventVerifier,
  fromAgentEvents,
  subAgentToolEvents,
  toAgentEvents,
  toolEventVerifier,
} from '../../../src/dialects/agent-event/index.ts'
import { expectMachineLaw } from '../../support/law.ts'
import { coreEvent } from './core-support.ts'
import { anything, clockAndIds } from './support.ts'

const toolEvent = fc.record({
  type: fc.constantFrom('progress', 'result'),
  toolName: fc.constantFrom('a', 'b'),
  output: fc.string(),
})

describe('machine law', () => {
  test('agentEventVerifier()', () => expectMachineLaw(agentEventVerifier(), anything))
  test('toolEventVerifier()', () => expectMachineLaw(toolEventVerifier(), toolEvent))
  test.each([{ taskId: 't' }, { ...clockAndIds, maxContentLength: 4 }])('fromAgentEvents(%j)', (options) =>
    expectMachineLaw(fromAgentEvents(options), anything, { runs: 500 }),
  )
  test.each([{}, { toolCallIds: true, taskId: 'task' }])('toAgentEvents(%j)', (options) =>
    expectMachineLaw(toAgentEvents(options), coreEvent, { runs: 500 }),
  )
  test('subAgentToolEvents()', () =>
    expectMachineLaw(subAgentToolEvents({ toolName: 'a', maxOutputLength: 4 }), anything, {
      reason: fc.record({ error: fc.string() }, { requiredKeys: [] }),
    }))
})
