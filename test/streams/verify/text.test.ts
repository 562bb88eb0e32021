// Tests the rules of texts and thoughts.
import { created, describeCases, status } from './cases.ts'

describeCases('texts and thoughts', {
  'reports thoughts that differ from their deltas, continue after their end, or skip an index': {
    events: [
      created,
      { kind: 'thought-delta', thoughtId: 'h', delta: 'a', index: 0 },
      { kind: 'thought-delta', thoughtId: 'h', delta: 'c', index: 2 },
      ...['h', 'k'].map((thoughtId, index) => ({
        kind: 'thought-stream',
        thoughtId,
        thoughtType: 'planning',
        verbosity: 'brief',
        content: 'abc',
        index,
      })),
      { kind: 'thought-delta', thoughtId: 'k', delta: 'a', index: 0 },
      { kind: 'thought-delta', thoughtId: 'l', delta: 'a', index: 0 },
      {
        kind: 'thought-stream',
        thoughtId: 'l',
        thoughtType: 'planning',
        verbosity: 'brief',
        content: 'b',
        index: 2,
      },
      status('completed'),
    ],
    rules: ['delta-index', 'thought-once', 'whole-repeats-deltas'],
  },
  'reports a merged delta whose indexEnd is less than its index': {
    events: [
      created,
      { kind: 'content-delta', delta: '', index: 0 },
      { kind: 'content-delta', delta: '', index: 1, indexEnd: 0 },
      status('failed'),
    ],
    options: { mode: 'standard' },
    rules: ['delta-index'],
  },
  'reports content after empty deltas': {
    events: [
      created,
      { kind: 'content-delta', delta: '', index: 0 },
      { kind: 'content-complete', content: 'a' },
      status('completed'),
    ],
    rules: ['whole-repeats-deltas'],
  },
  'reports the latest 64 unknown references of thoughts': {
    events: [
      created,
      ...Array.from({ length: 70 }, (_, index) => ({
        kind: 'thought-stream',
        thoughtId: `h${index}`,
        thoughtType: 'planning',
        verbosity: 'brief',
        content: '',
        index,
        metadata: { relatedTo: `x${index}` },
      })),
      status('completed'),
    ],
    rules: Array.from({ length: 64 }, () => 'related-known'),
  },
})
