// Proves that the shape of mapped progress is that of tool-progress.

import { expect, test } from 'vitest'
import { progressDataShape } from '../../../src/dialects/agent-event/wire/progress.ts'
import { eventShapes } from '../../../src/events/shapes.generated.ts'
import { noOthers } from '../../../src/validation/union.ts'

test('progress data has the fields of tool-progress but for ids, iteration and time', () => {
  const {
    toolCallId: _,
    iteration: _iteration,
    timestamp: __,
    ...fields
  } = eventShapes['tool-progress'] ?? {}
  expect(progressDataShape).toEqual(['only', { subtype: ['of', 'tool_progress'], ...fields }, noOthers])
})
