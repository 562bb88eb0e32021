import { expect, it } from 'vitest'
import { type Lifecycle, phaseAfter } from '../../src/rules/lifecycle.ts'

const door: Lifecycle<'push' | 'pull', 'new' | 'open' | 'shut', 'opened-twice' | 'shut-twice'> = {
  phases: ['new', 'open', 'shut'],
  events: { push: ['open', 'opened-twice', 'open'], pull: ['shut', 'shut', 'shut-twice'] },
}

it.each([
  ['push', 'new', 'open', []],
  ['push', 'open', undefined, ['opened-twice']],
  ['push', 'shut', 'open', []],
  ['pull', 'open', 'shut', []],
  ['pull', 'shut', undefined, ['shut-twice']],
] as const)('%s of an item that is %s', (kind, phase, next, rules) => {
  const broken: string[] = []
  expect(phaseAfter(door, kind, phase, (rule) => broken.push(rule))).toBe(next)
  expect(broken).toEqual(rules)
})
