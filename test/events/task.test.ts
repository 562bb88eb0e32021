// Proves which statuses are terminal.

import { isTerminalStatus } from 'turnstream'
import { expect, it } from 'vitest'

it.each(['completed', 'failed', 'canceled'])('%s is terminal', (status) => {
  expect(isTerminalStatus(status)).toBe(true)
})

it.each(['submitted', 'working', 'waiting-input', 'waiting-auth', 'waiting-subtask', '', null, undefined])(
  '%s is not terminal',
  (status) => {
    expect(isTerminalStatus(status)).toBe(false)
  },
)
