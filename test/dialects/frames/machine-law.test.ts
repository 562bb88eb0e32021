// Every machine of this dialect has plain JSON state and mutates nothing.
import fc from 'fast-check'
import { describe, test } from 'vitest'
import {
  frameReceiver,
  frameSequencer,
  frameVerifier,
  fromFrames,
  toFrames,
} from '../../../src/dialects/frames/index.ts'
import type { FrameV2Body } from '../../../src/dialects/frames/wire/types/index.ts'
import { expectMachineLaw } from '../../support/law.ts'
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
