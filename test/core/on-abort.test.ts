// One listener for any number of callbacks, each called at most once.
import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { onAbort } from '../../src/core/on-abort.ts'

it('calls each callback once, unless it was cancelled', () => {
  const controller = new AbortController()
  const { signal } = controller
  const called: number[] = []
  const cancel = Array.from({ length: 20 }, (_, n) => onAbort(signal, () => called.push(n)))
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  cancel[3]?.()
  cancel[3]?.()
  controller.abort()
  expect(called).toEqual([0, 1, 2, ...Array.from({ length: 16 }, (_, n) => n + 4)])
  expect(getEventListeners(signal, 'abort')).toEqual([])
  for (const each of cancel) each()
})

it('removes the listener with the last callback, and adds it again', () => {
  const controller = new AbortController()
  const { signal } = controller
  let called = 0
  const cancel = [onAbort(signal, () => called++), onAbort(signal, () => called++)]
  cancel[0]?.()
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  cancel[1]?.()
  expect(getEventListeners(signal, 'abort')).toEqual([])
  onAbort(signal, () => called++)
  cancel[1]?.()
  controller.abort()
  expect(called).toBe(1)
})
