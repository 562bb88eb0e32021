/** What agents of the Python SDK do, as steps to play, and the events that a reader must make of it. */
import type { A2aVersion } from '../../../src/dialects/a2a/wire/version.ts'
import type { PlayedStep } from './agent-client.ts'

type Json = Readonly<Record<string, unknown>>

/** A part, as 1.0 writes it. */
export type Part = Json

export interface Scenario {
  readonly name: string
  /** The steps of each request. The first of a stream of 1.0 has to be a task. */
  readonly requests: readonly (readonly PlayedStep[])[]
  /** Fields of events that the reader must emit, in this order, with others between them. */
  readonly expected: readonly Json[]
}

const bytes = (text: string): string => Buffer.from(text).toString('base64')

const form = {
  type: 'form',
  form: {
    type: 'object',
    properties: {
      date: { type: 'string', format: 'date', title: 'Date' },
      amount: { type: 'string', format: 'number', title: 'Amount' },
      purpose: { type: 'string', title: 'Purpose' },
      request_id: { type: 'string', title: 'Request' },
    },
    required: ['date', 'amount', 'purpose', 'request_id'],
  },
  form_data: { request_id: 'request-1', date: '2026-03-04', amount: '20', purpose: '' },
  instructions: 'Please fill in the missing fields.',
}

export const scenarios: readonly Scenario[] = [
  {
    name: 'text in chunks, with append and lastChunk',
    requests: [
      [
        { task: true },
        { status: 'working' },
        { artifact: { artifact_id: 'answer', name: 'answer', parts: [{ text: 'Hello ' }] } },
        { artifact: { artifact_id: 'answer', parts: [{ text: 'wörld ' }], append: true } },
        { artifact: { artifact_id: 'answer', parts: [{ text: '🌍' }], append: true, last_chunk: true } },
        { status: 'completed' },
      ],
    ],
    expected: [
      { kind: 'content-delta', delta: 'Hello ' },
      { kind: 'content-delta', delta: 'wörld ' },
      { kind: 'content-complete', content: 'Hello wörld 🌍' },
      { kind: 'task-complete' },
    ],
  },
  {
    name: 'an artifact as add_artifact leaves it, without append and lastChunk',
    requests: [
      [
        { task: true },
        { status: 'working', parts: [{ text: 'Thinking about it.' }] },
        { artifact: { name: 'result', parts: [{ text: 'The whole result.' }] } },
        { status: 'completed' },
      ],
    ],
    expected: [
      { kind: 'task-status', message: 'Thinking about it.' },
      { kind: 'content-complete', content: 'The whole result.' },
      { kind: 'task-complete' },
    ],
  },
  {
    name: 'two files in one artifact',
    requests: [
      [
        { task: true },
        {
          artifact: {
            artifact_id: 'files',
            name: 'files',
            parts: [
              { raw: bytes('first file'), filename: 'a.txt', mediaType: 'text/plain' },
              { raw: bytes('second file'), filename: 'b.bin', mediaType: 'application/octet-stream' },
            ],
          },
        },
        { status: 'completed' },
      ],
    ],
    expected: [
      { kind: 'file-write', name: 'a.txt', mimeType: 'text/plain' },
      { kind: 'file-write', name: 'b.bin', mimeType: 'application/octet-stream' },
      { kind: 'task-complete' },
    ],
  },
  {
    name: 'text, data and a link in one artifact',
    requests: [
      [
        { task: true },
        { status: 'working' },
        {
          artifact: {
            artifact_id: 'mixed',
            name: 'report',
            metadata: { source: 'test' },
            parts: [
              { text: 'See the figures.' },
              { data: { total: 42, rows: [{ n: 1 }] } },
              { url: 'https://files.example/figures.csv', filename: 'figures.csv', mediaType: 'text/csv' },
              { text: 'That is all.' },
            ],
          },
        },
        { status: 'completed' },
      ],
    ],
    expected: [{ kind: 'data-write', data: { total: 42, rows: [{ n: 1 }] } }, { kind: 'task-complete' }],
  },
  {
    name: 'data and a file with the status completed',
    requests: [
      [
        { task: true },
        { status: 'working' },
        {
          status: 'completed',
          parts: [
            { data: { answer: 42 } },
            { raw: bytes('evidence'), filename: 'evidence.txt', mediaType: 'text/plain' },
            { url: 'https://files.example/more' },
          ],
        },
      ],
    ],
    expected: [{ kind: 'data-write', data: { answer: 42 } }, { kind: 'task-complete' }],
  },
  {
    name: 'a form to fill in, as the reimbursement sample sends it, and its answer',
    requests: [
      [
        { task: true },
        { status: 'working', parts: [{ text: 'Processing the reimbursement request...' }] },
        { status: 'input-required', parts: [{ data: form }], final: true },
      ],
      [
        { status: 'working' },
        { artifact: { name: 'form', parts: [{ text: 'Approved.' }] } },
        { status: 'completed' },
      ],
    ],
    expected: [
      { kind: 'input-required' },
      { kind: 'content-complete', content: 'Approved.' },
      { kind: 'task-complete' },
    ],
  },
  {
    name: 'a question in text, and its answer',
    requests: [
      [{ task: true }, { status: 'input-required', parts: [{ text: 'Which year?' }], final: true }],
      [{ status: 'completed', parts: [{ text: 'It was 2026.' }] }],
    ],
    expected: [{ kind: 'input-required', prompt: 'Which year?' }, { kind: 'task-complete' }],
  },
  {
    name: 'a failure with a reason and details',
    requests: [
      [
        { task: true },
        { status: 'working' },
        { status: 'failed', parts: [{ text: 'No such account.' }, { data: { code: 'E_ACCOUNT' } }] },
      ],
    ],
    expected: [{ kind: 'task-status', status: 'failed' }],
  },
  {
    name: 'a rejection',
    requests: [[{ task: true }, { status: 'rejected', parts: [{ text: 'Not my job.' }] }]],
    expected: [{ kind: 'task-status', status: 'failed' }],
  },
  {
    name: 'a message instead of a task',
    requests: [[{ message: [{ text: 'Hello.' }, { data: { mood: 'good' } }] }]],
    expected: [{ kind: 'data-write', data: { mood: 'good' } }],
  },
  {
    name: 'metadata of states',
    requests: [
      [
        { task: true },
        { status: 'working', metadata: { step: 'one' } },
        { status: 'working', parts: [{ text: 'Still at it.' }], metadata: { step: 'two' } },
        { status: 'completed' },
      ],
    ],
    expected: [{ kind: 'task-status', message: 'Still at it.' }],
  },
]

/** The steps of a scenario in the spelling of a version. */
export function stepsIn(version: A2aVersion, steps: readonly PlayedStep[]): PlayedStep[] {
  if (version === '1.0') {
    return steps.map(({ final: _, ...step }) =>
      step.status === undefined
        ? step
        : { ...step, status: `TASK_STATE_${String(step.status).toUpperCase().replace('-', '_')}` },
    )
  }
  return steps.map(({ parts, artifact, message, ...step }) => ({
    ...step,
    ...(parts !== undefined && { parts: (parts as Part[]).map(partOf) }),
    ...(artifact !== undefined && {
      artifact: { ...(artifact as Json), parts: (artifact as { parts: Part[] }).parts.map(partOf) },
    }),
    ...(message !== undefined && { message: (message as Part[]).map(partOf) }),
  }))
}

/** A part in the spelling of 0.3. */
function partOf({ text, data, raw, url, filename, mediaType }: Part): Json {
  if (text !== undefined) return { kind: 'text', text }
  if (data !== undefined) return { kind: 'data', data }
  return {
    kind: 'file',
    file: {
      ...(raw === undefined ? { uri: url } : { bytes: raw }),
      ...(filename !== undefined && { name: filename }),
      ...(mediaType !== undefined && { mimeType: mediaType }),
    },
  }
}
