// Viewers, thought policies and filters of all forms.

import fc from 'fast-check'
import type { ThoughtType, ThoughtVerbosity } from 'turnstream'
import { eventKinds } from 'turnstream'
import type { EventFilter, Viewer } from 'turnstream/streams'
import { audiences } from '../../../src/streams/access/audience.ts'
import type { ThoughtPolicy } from '../../../src/streams/access/filter.ts'
import type { KindPattern } from '../../../src/streams/access/kind-pattern.ts'

const verbosities: readonly ThoughtVerbosity[] = ['brief', 'normal', 'detailed']
const types: readonly ThoughtType[] = ['planning', 'reasoning', 'decision']

export const thoughtPolicies: fc.Arbitrary<ThoughtPolicy> = fc.record(
  {
    maxVerbosity: fc.constantFrom(...verbosities, 'none' as const),
    verbosities: fc.subarray([...verbosities]),
    types: fc.subarray([...types]),
    minConfidence: fc.constantFrom(0, 0.5, 1),
    unknownConfidence: fc.constantFrom('keep', 'drop'),
  },
  { requiredKeys: [] },
)

export const viewers: fc.Arbitrary<Viewer> = fc.record(
  {
    audience: fc.constantFrom(...audiences),
    thoughts: thoughtPolicies,
    removed: fc.record(
      {
        'tool-start': fc.subarray(['/arguments', '/metadata']),
        'content-delta': fc.constant(['/delta']),
        'thought-stream': fc.subarray(['/content', '/metadata/confidence']),
      },
      { requiredKeys: [] },
    ),
    subtasks: fc.constant('all' as const),
  },
  { requiredKeys: ['audience'] },
)

const patterns: readonly KindPattern[] = [...eventKinds, 'tool-*', 'thought-*', 'internal:*']

export const eventFilters: fc.Arbitrary<EventFilter> = fc.record(
  {
    kinds: fc.subarray([...patterns], { maxLength: 4 }),
    tasks: fc.subarray(['task-1', 'subtask-1', 'subtask-2']),
    thoughts: thoughtPolicies,
    internal: fc.boolean(),
  },
  { requiredKeys: [] },
)
