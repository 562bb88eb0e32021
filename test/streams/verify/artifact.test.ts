// Tests the rules of artifacts.
import { expect, it } from 'vitest'
import type { ContextAnyEvent } from '../../../src/index.ts'
import { change, context, created, describeCases, record, status } from './cases.ts'
import { verify } from './support.ts'

describeCases('artifacts', {
  'reports versions that are repeated or skipped, and changes of the type': {
    events: [
      created,
      {
        kind: 'artifact-delta',
        artifactId: 'a',
        baseVersion: 0,
        version: 2,
        change: { type: 'merge-patch', patch: {} },
      },
      { kind: 'data-write', artifactId: 'a', data: {}, metadata: { version: 3 } },
      { kind: 'data-write', artifactId: 'a', data: {}, metadata: { version: 3 } },
      {
        kind: 'artifact-delta',
        artifactId: 'a',
        baseVersion: 1,
        version: 2,
        change: { type: 'json-patch', patch: [] },
      },
      { kind: 'file-write', artifactId: 'a', data: '', index: 0, complete: true },
      {
        kind: 'dataset-write',
        artifactId: 'd',
        rows: [{}, {}],
        index: 0,
        complete: false,
        metadata: { totalRows: 2 },
      },
      { kind: 'dataset-write', artifactId: 'd', rows: [], index: 1, complete: true },
      {
        kind: 'artifact-delta',
        artifactId: 'd',
        baseVersion: 1,
        version: 2,
        change: { type: 'rows-append', rows: [] },
      },
      status('completed'),
    ],
    rules: ['expected-version', 'artifact-version', 'artifact-version', 'expected-version', 'artifact-type'],
  },
  'reports surrogate pairs cut between chunks, and accepts bytes of the announced size': {
    events: [
      created,
      { kind: 'file-write', artifactId: 'f', data: '\ud83c', index: 0, complete: false },
      { kind: 'file-write', artifactId: 'f', data: '\udf0a', index: 1, complete: true },
      {
        kind: 'file-write',
        artifactId: 'b',
        data: 'YWI=',
        index: 0,
        complete: true,
        encoding: 'base64',
        metadata: { totalSize: 2 },
      },
      status('completed'),
    ],
    rules: ['chunk-decodes', 'chunk-decodes'],
  },
  'checks the required columns and types of rows, and ignores references': {
    events: [
      created,
      {
        kind: 'dataset-write',
        artifactId: 'd',
        rows: [{}],
        index: 0,
        complete: true,
        schema: { required: ['a'] },
      },
      {
        kind: 'dataset-write',
        artifactId: 'e',
        rows: [{}],
        index: 0,
        complete: true,
        schema: { $ref: '#/x', required: ['a'] },
      },
      {
        kind: 'dataset-write',
        artifactId: 'g',
        rows: [{ n: null, b: true, i: 1, l: [], o: {}, x: 1, r: 1, s: 1, t: 1, u: 1 }, { n: 1 }, { i: 1.5 }],
        index: 0,
        complete: true,
        schema: {
          properties: {
            n: { type: ['null', 'string'] },
            b: { type: 'boolean' },
            i: { type: 'integer' },
            l: { type: 'array' },
            o: { type: 'object' },
            x: { type: 'strange' },
            r: { $ref: '#/y', type: 'string' },
            s: {},
            t: { type: 5 },
            u: { type: [] },
          },
        },
      },
      status('completed'),
    ],
    rules: ['rows-match-schema', 'rows-match-schema'],
  },
  'reports values of other types than their columns': {
    events: [
      created,
      ...Object.entries({
        null: [0, ''],
        boolean: [0, 'true'],
        string: [0, null],
        number: ['0', null],
        integer: [1.5, '1'],
        array: [{}, 'a'],
        object: [[], null],
        strange: [],
      }).flatMap(([type, values]) =>
        values.map((value, n) => ({
          kind: 'dataset-write',
          artifactId: `${type}-${n}`,
          rows: [{ a: value }],
          index: 0,
          complete: true,
          schema: { properties: { a: { type } } },
        })),
      ),
      status('completed'),
    ],
    rules: Array.from({ length: 14 }, () => 'rows-match-schema'),
  },
  'keeps the current version after an older one': {
    events: [
      created,
      record({ version: 2 }),
      record({ version: 1 }),
      record({ version: 3 }),
      status('completed'),
    ],
    rules: ['artifact-version'],
  },
  'reports writers with an outdated version': {
    events: [
      created,
      record({}),
      record({ expectedVersion: 1 }),
      record({ expectedVersion: 1 }),
      record({ expectedVersion: 2 }),
      change(1, 2),
      change(3, 4),
      status('completed'),
    ],
    rules: ['expected-version', 'expected-version'],
  },
  'reports a missing change once, and continues with the later version': {
    events: [
      created,
      record({}),
      change(2, 3),
      change(3, 4),
      record({ expectedVersion: 6 }),
      change(7, 8),
      status('completed'),
    ],
    rules: ['expected-version', 'expected-version'],
  },
  'reports a change without a base, and one that does not increase the version': {
    events: [created, change(0, 1), change(1, 1), change(1, 2), status('completed')],
    rules: ['expected-version', 'artifact-version'],
  },
  'keeps the highest version after a change that states a lower one': {
    events: [created, record({}), change(1, 2), change(2, 1), change(2, 3), status('completed')],
    rules: ['artifact-version'],
  },
  'takes the version of a change that skips some': {
    events: [created, record({}), change(1, 4), change(4, 5), status('completed')],
    rules: ['artifact-version'],
  },
  'accepts versions counted from 0': {
    events: [created, record({ version: 0 }), change(0, 1), record({ version: 5 }), status('completed')],
    rules: ['artifact-version'],
  },
  'lets another task write a file whose write was abandoned or continue an open write': {
    events: [
      created,
      { ...created, taskId: 'other' },
      { kind: 'file-write', artifactId: 'f', taskId: 'other', data: 'a', index: 0, complete: false },
      { kind: 'file-write', artifactId: 'g', taskId: 'other', data: 'a', index: 0, complete: false },
      { kind: 'file-write', artifactId: 'g', data: 'b', index: 1, complete: false },
      { kind: 'task-status', taskId: 'other', status: 'failed' },
      { kind: 'file-write', artifactId: 'f', data: 'a', index: 0, complete: true },
      { kind: 'file-write', artifactId: 'g', data: 'c', index: 2, complete: true },
      status('completed'),
    ],
    rules: [],
  },
  'accepts result artifacts that may be from before the stream was joined': {
    events: [
      { ...record({ version: 2 }), taskId: 'other' },
      { kind: 'task-complete', artifacts: ['d'] },
      status('completed'),
      { kind: 'task-complete', taskId: 'other' },
      { ...status('completed'), taskId: 'other' },
    ],
    options: { startIndex: 5 },
    rules: [],
  },
  'accepts a result artifact with more writers than are stored': {
    events: [
      created,
      record({}),
      ...Array.from({ length: 17 }, (_, n) => [
        { ...created, taskId: `t${n}` },
        { ...record({}), taskId: `t${n}` },
        { kind: 'task-status', taskId: `t${n}`, status: 'completed' },
      ]).flat(),
      { kind: 'task-complete', artifacts: ['d'] },
      status('completed'),
    ],
    rules: [],
  },
  ...Object.fromEntries(
    [16, 17].map((count) => [
      `${count === 16 ? 'reports' : 'accepts'} a result artifact that ${count} unrelated tasks completed`,
      {
        events: [
          created,
          ...Array.from({ length: count }, (_, n) => [
            { ...created, taskId: `t${n}` },
            { ...record({}), taskId: `t${n}` },
            { kind: 'task-status', taskId: `t${n}`, status: 'completed' },
          ]).flat(),
          { kind: 'task-complete', artifacts: ['d'] },
          status('completed'),
        ],
        rules: count === 16 ? ['result-artifacts'] : [],
      },
    ]),
  ),
  'reports a result artifact that only an unrelated task completed': {
    events: [
      created,
      { ...created, taskId: 'other' },
      { ...record({}), taskId: 'other' },
      { kind: 'task-complete', artifacts: ['d'] },
      status('completed'),
      { kind: 'task-complete', taskId: 'other', artifacts: ['d'] },
      { ...status('completed'), taskId: 'other' },
    ],
    rules: ['result-artifacts'],
  },
  'checks rows of later versions and appended rows against the schema': {
    events: [
      created,
      {
        kind: 'dataset-write',
        artifactId: 'd',
        rows: [{ a: 1 }],
        index: 0,
        complete: true,
        schema: { required: ['a'] },
      },
      { kind: 'dataset-write', artifactId: 'd', rows: [{}], index: 0, complete: true },
      { ...change(2, 3), change: { type: 'rows-append', rows: [{ a: 1 }, {}] } },
      status('completed'),
    ],
    rules: ['rows-match-schema', 'rows-match-schema'],
  },
  'accepts a repeated schema with keys in another order': {
    events: [
      created,
      {
        kind: 'dataset-write',
        artifactId: 'd',
        rows: [],
        index: 0,
        complete: false,
        schema: { a: { b: 1, c: 2 }, d: 3 },
      },
      {
        kind: 'dataset-write',
        artifactId: 'd',
        rows: [],
        index: 1,
        complete: true,
        schema: { d: 3, a: { c: 2, b: 1 } },
      },
      status('completed'),
    ],
    rules: [],
  },
  'reports a merged chunk whose indexEnd is less than its index': {
    events: [
      created,
      { kind: 'file-write', artifactId: 'f', data: 'a', index: 0, complete: false },
      { kind: 'file-write', artifactId: 'f', data: 'b', index: 1, indexEnd: 0, complete: true },
      status('completed'),
    ],
    rules: ['chunk-index'],
  },
  'reports a write that does not start with index 0, of a new artifact and of a complete one': {
    events: [
      created,
      { kind: 'file-write', artifactId: 'f', data: 'a', index: 2, complete: true },
      { kind: 'file-write', artifactId: 'f', data: 'a', index: 1, complete: true },
      status('completed'),
    ],
    rules: ['chunk-index', 'chunk-index'],
  },
  'accepts any first chunk after a late join, and reports a gap after it': {
    events: [
      { kind: 'file-write', artifactId: 'f', data: 'a', index: 3, complete: false },
      { kind: 'file-write', artifactId: 'f', data: 'a', index: 4, complete: false },
      { kind: 'file-write', artifactId: 'f', data: 'a', index: 6, complete: true },
      status('completed'),
    ],
    options: { startIndex: 5 },
    rules: ['chunk-index'],
  },
  'uses the version of the first chunk': {
    events: [
      created,
      { kind: 'file-write', artifactId: 'd', data: 'a', index: 0, complete: false, version: 7 },
      { kind: 'file-write', artifactId: 'd', data: 'a', index: 1, complete: true },
      { ...change(7, 8), change: { type: 'text-append', text: 'b' } },
      status('completed'),
    ],
    rules: [],
  },
  'compares the announced size with that of all chunks': {
    events: [
      created,
      ...[2, 3, 4].flatMap((totalSize) =>
        [0, 1, 2].map((index) => ({
          kind: 'file-write',
          artifactId: `f${totalSize}`,
          data: 'a',
          index,
          complete: index === 2,
          ...(index === 0 && { metadata: { totalSize } }),
        })),
      ),
      ...[2, 3, 4].flatMap((totalRows) =>
        [0, 1, 2].map((index) => ({
          kind: 'dataset-write',
          artifactId: `d${totalRows}`,
          rows: [{}],
          index,
          complete: index === 2,
          ...(index === 0 && { metadata: { totalRows } }),
        })),
      ),
      status('completed'),
    ],
    rules: Array.from({ length: 4 }, () => 'size-hints'),
  },
  'reports each descriptive field that changes in a later chunk': {
    events: [
      created,
      ...[
        { name: 'a', description: 'a', mimeType: 'a/a', encoding: 'base64' },
        { name: 'b', description: 'b', mimeType: 'b/b', encoding: 'utf-8' },
      ].map((fields, index) => ({
        ...{ kind: 'file-write', artifactId: 'f', data: '', index, complete: index === 1 },
        ...fields,
      })),
      ...['a', 'b'].map((column, index) => ({
        ...{ kind: 'dataset-write', artifactId: 'd', rows: [], index, complete: index === 1 },
        schema: { required: [column] },
      })),
      status('completed'),
    ],
    rules: Array.from({ length: 5 }, () => 'chunk-metadata'),
  },
})

it('the message of a wrong size names its unit', () => {
  const chunk = { ...context, artifactId: 'a', index: 0, complete: true }
  const events = [
    created,
    { ...chunk, kind: 'file-write', data: 'a', metadata: { totalSize: 2 } },
    { ...chunk, artifactId: 'b', kind: 'dataset-write', rows: [], metadata: { totalRows: 1 } },
    status('completed'),
  ] as ContextAnyEvent[]
  expect(verify(events, { mode: 'strict' }).map(({ message }) => message)).toEqual([
    'Expected 2 bytes in total, got 1.',
    'Expected 1 rows in total, got 0.',
  ])
})
