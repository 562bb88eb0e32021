import { expect, it } from 'vitest'
import { type Lifecycle, phaseAfter } from '../../src/rules/lifecycle.ts'

const door: Lifecycle<'push' | 'pull', 'new' | 'open' | 'shut', 'opened-twice' | 'shut-twice'> = {
  phases: ['new', 'open', 'shut'],
  events: { push: ['open', 'opened-twice', 'open'], pull: ['shut', 'shut', 'shut-twice'] },
}

it.each([
  ['push', 'new', undefined, 'open', []],
  ['push', 'open', undefined, undefined, ['opened-twice']],
  ['push', 'shut', undefined, 'open', []],
  ['pull', 'open', undefined, 'shut', []],
  ['pull', 'shut', undefined, undefined, ['shut-twice']],
  // What was not seen counts only where what was seen breaks a rule, and only if it is later.
  ['push', 'open', 'shut', 'open', []],
  ['push', 'open', 'new', undefined, ['opened-twice']],
  ['push', 'new', 'open', 'open', []],
] as const)('%s of an item that is %s, or %s unseen', (kind, phase, unseen, next, rules) => {
  const broken: string[] = []
  expect(phaseAfter(door, kind, phase, (rule) => broken.push(rule), unseen)).toBe(next)
  expect(broken).toEqual(rules)
})
