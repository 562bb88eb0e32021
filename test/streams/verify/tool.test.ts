// Tests the rules of tool calls.
import { created, describeCases, ended, piece, start, status } from './cases.ts'

describeCases('tool calls', {
  'reports arguments that differ from their deltas': {
    events: [
      created,
      piece('c', '{"a":', 0),
      piece('c', '1}', 1),
      { kind: 'tool-start', toolCallId: 'c', toolName: 't', arguments: { a: 2 } },
      ended('c'),
      status('completed'),
    ],
    rules: ['whole-repeats-deltas'],
  },
  'accepts the failure of a call whose arguments were cut off, and reports its success or progress': {
    events: [
      created,
      ...['a', 'b'].map((toolCallId) => piece(toolCallId, '{"a":', 0)),
      { kind: 'tool-complete', toolCallId: 'a', toolName: 't', success: false, error: 'cut off' },
      { kind: 'tool-progress', toolCallId: 'b', progress: 0.5 },
      ended('b'),
      start('a'),
      status('completed'),
    ],
    rules: ['tool-call-open', 'tool-call-open', 'tool-call-once'],
  },
  'reports the failure of a call of another task, even if it was cut off': {
    events: [
      created,
      { ...created, taskId: 'other' },
      { kind: 'tool-arguments-delta', taskId: 'other', toolCallId: 'c', toolName: 't', delta: '{', index: 0 },
      { kind: 'tool-complete', toolCallId: 'c', toolName: 't', success: false, error: 'cut off' },
      status('completed'),
      { ...status('completed'), taskId: 'other' },
    ],
    rules: ['tool-call-open'],
  },
  'compares arguments as JSON values, and accepts an empty text for no arguments': {
    events: [
      created,
      piece('c', '{ "b":2, "a": 1.0 }', 0),
      { kind: 'tool-start', toolCallId: 'c', toolName: 't', arguments: { a: 1, b: 2 } },
      ended('c'),
      piece('d', '', 0),
      start('d'),
      ended('d'),
      status('completed'),
    ],
    rules: [],
  },
  'reports outcomes that contradict success, and more steps than the total': {
    events: [
      created,
      start('c'),
      { kind: 'tool-complete', toolCallId: 'c', toolName: 't', success: true, error: 'no' },
      start('d'),
      { kind: 'tool-progress', toolCallId: 'd', progress: 0, metadata: { stepsCompleted: 2, stepsTotal: 1 } },
      { kind: 'tool-complete', toolCallId: 'd', toolName: 't', success: false },
      status('completed'),
    ],
    rules: ['tool-outcome', 'progress-order', 'tool-outcome'],
  },
  'checks calls of two tasks with the same id by themselves': {
    events: [
      created,
      { ...created, taskId: 'other' },
      { kind: 'tool-arguments-delta', taskId: 'other', toolCallId: 'c', toolName: 't', delta: '{', index: 0 },
      piece('c', '}', 1),
      { kind: 'tool-start', toolCallId: 'c', toolName: 'u', arguments: {} },
      { kind: 'task-status', taskId: 'other', status: 'completed' },
      { kind: 'tool-complete', toolCallId: 'c', toolName: 'u', success: true },
      status('completed'),
    ],
    rules: ['delta-index', 'tool-name'],
  },
  'accepts a failed call with the result null': {
    events: [
      created,
      start('c'),
      { kind: 'tool-complete', toolCallId: 'c', toolName: 't', success: false, error: 'no', result: null },
      status('completed'),
    ],
    rules: [],
  },
  'compares progress with the highest value so far': {
    events: [
      created,
      start('c'),
      ...[0.5, 0.2, 0.4, 0.5].map((progress) => ({ kind: 'tool-progress', toolCallId: 'c', progress })),
      ended('c'),
      status('completed'),
    ],
    rules: ['progress-order', 'progress-order'],
  },
  'reports arguments after blank deltas': {
    events: [
      created,
      piece('c', ' ', 0),
      { kind: 'tool-start', toolCallId: 'c', toolName: 't', arguments: { a: 1 } },
      piece('d', ' ', 0),
      start('d'),
      status('failed'),
    ],
    options: { mode: 'standard' },
    rules: ['whole-repeats-deltas'],
  },
  'compares arguments of the length that is stored': {
    events: [
      created,
      ...['{"a":"', 'b'.repeat(65_536 - 8), '"}'].map((delta, index) => piece('c', delta, index)),
      start('c'),
      status('failed'),
    ],
    options: { mode: 'standard' },
    rules: ['whole-repeats-deltas'],
  },
  'accepts the progress and end of a call whose start is from before the stream was joined': {
    events: [
      piece('c', '{', 4),
      { kind: 'tool-progress', toolCallId: 'c', progress: 0.5 },
      ended('c'),
      piece('d', '{', 4),
      ended('d'),
      status('completed'),
    ],
    options: { startIndex: 9 },
    rules: [],
  },
  'does not compare arguments that are too long to store': {
    events: [
      created,
      ...['{"a":"', 'b'.repeat(65_536), '"}'].map((delta, index) => piece('c', delta, index)),
      start('c'),
      status('failed'),
    ],
    options: { mode: 'standard' },
    rules: [],
  },
  'reports an exclusive call that starts while another call runs, but not while its arguments are streamed': {
    events: [
      created,
      piece('b', '{}', 0),
      ...['c', 'd'].map((toolCallId) => ({
        kind: 'tool-start',
        toolCallId,
        toolName: 't',
        arguments: {},
        metadata: { concurrent: false },
      })),
      status('failed'),
    ],
    rules: ['tool-alone', ...Array.from({ length: 2 }, () => 'tool-open-at-failure')],
  },
  'reports a tool that changes with the start, the end or the deltas of its call': {
    events: [
      created,
      ...['t', 'u'].map((toolName, index) => ({
        ...{ kind: 'tool-arguments-delta', toolCallId: 'c', toolName },
        ...{ delta: index === 0 ? '{' : '}', index },
      })),
      { kind: 'tool-start', toolCallId: 'c', toolName: 'v', arguments: {} },
      { kind: 'tool-complete', toolCallId: 'c', toolName: 'w', success: true },
      status('completed'),
    ],
    rules: ['tool-name', 'tool-name', 'tool-name'],
  },
  'accepts calls that run together, and reports one beside an exclusive call': {
    events: [
      created,
      ...['a', 'b'].map((toolCallId) => start(toolCallId)),
      ...['a', 'b'].map((toolCallId) => ended(toolCallId)),
      {
        ...start('c'),
        metadata: { concurrent: false },
      },
      start('d'),
      ...['c', 'd'].map((toolCallId) => ended(toolCallId)),
      status('completed'),
    ],
    rules: ['tool-alone'],
  },
  'counts no call as exclusive whose start is from before the stream was joined': {
    events: [
      piece('c', '{', 4),
      { kind: 'tool-progress', toolCallId: 'c', progress: 0.5 },
      start('d'),
      ...['c', 'd'].map((toolCallId) => ended(toolCallId)),
      status('completed'),
    ],
    options: { startIndex: 9 },
    rules: [],
  },
  'reports merged arguments whose indexEnd is less than their index, and does not compare them': {
    events: [
      created,
      {
        ...{ kind: 'tool-arguments-delta', toolCallId: 'c', toolName: 't' },
        ...{ delta: '{', index: 0, indexEnd: -1 },
      },
      ...[0, 2].map((index) => ({
        ...{ kind: 'tool-arguments-delta', toolCallId: 'd', toolName: 't' },
        ...{ delta: '{', index: index === 0 ? 0 : 1, indexEnd: 0 },
      })),
      start('d'),
      ended('d'),
      status('completed'),
    ],
    rules: ['well-formed', 'delta-index'],
  },
  'reports a second end of a call in a stream joined late': {
    events: [start('c'), ended('c'), ended('c'), status('completed')],
    options: { startIndex: 9 },
    rules: ['tool-call-open'],
  },
})
