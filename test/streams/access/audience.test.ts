// audienceOf, respondersOf and the task tree.

import fc from 'fast-check'
import { audienceOf, respondersOf } from 'turnstream/streams'
import { describe, expect, it, test } from 'vitest'
import { isAllowedByLabel, type RoutedEvent } from '../../../src/streams/access/audience.ts'
import { casesOf } from '../../support/conformance.ts'
import { thought } from '../log/support.ts'

interface RouteInput {
  readonly event: RoutedEvent
  readonly tree: Readonly<Record<string, string>>
  readonly forwardNothing?: true
}
const routes = casesOf<RouteInput, { audience: string[]; responders: string[] }>('route')

describe('audienceOf and respondersOf', () => {
  test.each(routes)('$name', ({ input: { event, tree, forwardNothing }, expected }) => {
    const options = forwardNothing === true ? { forward: () => false } : {}
    expect(audienceOf(event, tree, options)).toEqual(expected.audience)
    expect(respondersOf(event)).toEqual(expected.responders)
  })

  it('include the user for events only the user can answer, whatever the tree', () => {
    const tree = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('a', 'b', 'c', 'd'))
    const ask = fc.constantFrom({ kind: 'auth-required' }, { kind: 'input-required', requireUser: true })
    fc.assert(
      fc.property(tree, ask, fc.constantFrom('a', 'b', 'd'), (tree, event, taskId) => {
        expect(audienceOf({ contextId: 'ctx-1', taskId, ...event }, tree)).toContain('user')
      }),
    )
  })
})

it.each<[args: unknown[], message: string]>([
  [[null], '"tree" must be an object, got null.'],
  [[5], '"tree" must be an object, got 5.'],
  [[{}, null], '"options" must be an object, got null.'],
  [[{}, 5], '"options" must be an object, got 5.'],
  [[{}, { forward: true }], '"forward" must be a function, got true.'],
])('audienceOf refuses the arguments %j', (args, message) => {
  const use = () => audienceOf(thought(0), ...(args as []))
  expect(use).toThrow(new TypeError(message))
})

it.each([
  [{ audience: undefined }, ['user', 'operator']],
  [{ audience: null }, ['user', 'operator']],
  [{ audience: [] }, ['operator']],
  [{ audience: ['user'] }, ['user', 'operator']],
  [{ audience: ['parent'] }, ['operator']],
  [{ audience: ['user', 7] }, ['operator']],
  [{ audience: 'user' }, ['operator']],
])('the label %j shows an event to %j', (metadata, expected) => {
  const event = { kind: 'content-delta', metadata }
  const shown = (['user', 'operator'] as const).filter((audience) => isAllowedByLabel(event, audience))
  expect(shown).toEqual(expected)
})

it('the tree of audienceOf supports ids that are names of object properties', () => {
  const tree = JSON.parse('{"__proto__":"a"}')
  expect(audienceOf({ ...thought(0), taskId: '__proto__' }, tree)).not.toContain('user')
  expect(audienceOf({ ...thought(0), taskId: 'constructor' }, tree)).toContain('user')
})
