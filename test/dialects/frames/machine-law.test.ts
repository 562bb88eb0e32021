// Every machine of this dialect has plain JSON state and mutates nothing.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  frameReceiver,
  frameSequencer,
  frameVerifier,
  fromFrames,
  toFrames,
} from '../../../src/dialects/frames/index.ts'
import type { FrameV2Body } from '../../../src/dialects/frames/wire/types.ts'
import { expectMachineLaw } from '../../support/law.ts'
import { inputsUntilEvicted } from '../../support/mapper-laws.ts'
import { anyFrame, legalEvents } from './logs.ts'
import { allSamples } from './samples.ts'

const newId = (): string => 'id'
const now = (): number => 7
const event = fc.oneof(
  legalEvents.chain((events) => fc.constantFrom(...events)),
  fc.constantFrom(...allSamples),
)
const body = fc.constantFrom<FrameV2Body>(
  { type: 'session_started', input: 'hi' },
  { type: 'tool_failed', tool_id: '', error: 'no id' },
  { type: 'artifact_written', artifact_id: 'a', kind: 'log', bytes: 1, digest: 'd:0' },
)

describe('the machine law', () => {
  test.each(['v1', 'v2'] as const)('frameVerifier in version %s', (version) =>
    expectMachineLaw(frameVerifier({ version, mode: 'strict' }), anyFrame),
  )
  test('fromFrames', () => expectMachineLaw(fromFrames(), anyFrame))
  test.each(['wait', 'skip'] as const)('frameReceiver that is to %s', (gaps) =>
    expectMachineLaw(frameReceiver({ gaps }), anyFrame),
  )
  test.each(['v1', 'v2'] as const)('toFrames in version %s', (version) =>
    expectMachineLaw(toFrames({ version, sessionId: 'S', newId, now }), event),
  )
  test('frameSequencer', () =>
    expectMachineLaw(
      frameSequencer({ version: 'v2', stream: { kind: 'session', id: 's' }, newId, now }),
      body,
    ))
})

describe('the state of 1024 streams is kept, of at most twice as many', () => {
  const start = (i: number): never =>
    ({
      id: `${i}`,
      stream_kind: 'session',
      stream_id: `s${i}`,
      timestamp_ms: 0,
      seq: 0,
      type: 'session_started',
      input: '',
    }) as never
  const created = (i: number): never =>
    ({
      kind: 'task-created',
      contextId: 'c',
      taskId: `t${i}`,
      timestamp: '2026-01-31T10:30:00Z',
      initiator: 'user',
    }) as never
  test.each([
    ['fromFrames', fromFrames(), start],
    ['frameReceiver', frameReceiver(), start],
    ['frameVerifier', frameVerifier({ version: 'v2' }), start],
    ['toFrames', toFrames({ version: 'v2', sessionId: 'S', newId, now }), created],
  ])('%s', (_, machine, inputOf) => {
    expect(inputsUntilEvicted(machine as never, inputOf)).toBe(2 * 1024 + 1)
  })
})
