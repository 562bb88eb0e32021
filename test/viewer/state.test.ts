// Proves that the page chooses no axis that the recording does not have.
import { expect, it } from 'vitest'
import { State } from '../../src/viewer/ui/state.ts'

const event = (timestamp: string) => ({
  kind: 'task-status',
  status: 'working',
  contextId: 'c',
  taskId: 't',
  timestamp,
})

it.each([
  ['1970-01-01T00:00:00.000Z', 'events', 'events'],
  ['1970-01-01T00:00:01.000Z', 'time', 'events'],
])('a recording that ends at %s begins with the axis of %s', (end, first, second) => {
  const state = new State(() => {})
  state.open('run.jsonl')
  for (const time of ['1970-01-01T00:00:00.000Z', end]) state.recording.add(event(time) as never)
  state.finished()
  expect(state.axis).toBe(first)
  state.setAxis(state.axis === 'time' ? 'events' : 'time')
  expect(state.axis).toBe(second)
})
