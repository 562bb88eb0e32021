// The sequencer numbers the frames of a stream from 0 without gaps.
import { describe, expect, it } from 'vitest'
import { frameSequencer, frameVerifier } from '../../../src/dialects/frames/index.ts'
import type { FrameV1Body } from '../../../src/dialects/frames/wire/types.ts'
import { type Diagnostic, run } from '../../../src/index.ts'

const stream = { kind: 'session', id: 's1' }

function clockwork() {
  let ids = 0
  let time = 1000
  return { newId: () => `f${ids++}`, now: () => time++ }
}

describe('frameSequencer', () => {
  it('wraps each body in an envelope', () => {
    const { push } = run(frameSequencer({ version: 'v1', stream, ...clockwork() }))
    expect(push({ type: 'session_started', input: 'hi' })).toEqual([
      { id: 'f0', session_id: 's1', timestamp_ms: 1000, seq: 0, type: 'session_started', input: 'hi' },
    ])
    expect(push({ type: 'session_ended', reason: 'completed' })).toEqual([
      { id: 'f1', session_id: 's1', timestamp_ms: 1001, seq: 1, type: 'session_ended', reason: 'completed' },
    ])
  })

  it('writes stream_kind and both ids in version 2', () => {
    const { push } = run(frameSequencer({ version: 'v2', stream: { kind: 'task', id: 'k' }, ...clockwork() }))
    expect(push({ type: 'tool_task_signalled', task_id: 'k', signal: 'SIGINT' })).toEqual([
      {
        id: 'f0',
        session_id: 'k',
        stream_kind: 'task',
        stream_id: 'k',
        timestamp_ms: 1000,
        seq: 0,
        type: 'tool_task_signalled',
        task_id: 'k',
        signal: 'SIGINT',
      },
    ])
  })

  it('resumes from a stored state', () => {
    const machine = frameSequencer({ version: 'v1', stream, ...clockwork() })
    const { push } = run(machine, { state: { seq: 41 } })
    expect(push({ type: 'output_text_delta', delta: '' })).toMatchObject([{ seq: 41 }])
  })

  it('ignores envelope fields of the body', () => {
    const { push } = run(frameSequencer({ version: 'v1', stream, ...clockwork() }))
    const body = { type: 'output_text_delta', delta: '', seq: 9, id: 'mine', session_id: 'other' }
    expect(push(body as FrameV1Body)).toMatchObject([{ id: 'f0', session_id: 's1', seq: 0 }])
  })

  it('ignores envelope fields of the body in version 2', () => {
    const { push } = run(frameSequencer({ version: 'v2', stream, ...clockwork() }))
    const envelope = { session_id: 'x', stream_kind: 'x', stream_id: 'x', seq: 7 }
    expect(push({ type: 'session_started', input: '', ...envelope } as never)).toMatchObject([
      { session_id: 's1', stream_kind: 'session', stream_id: 's1', seq: 0 },
    ])
  })

  it('reports and drops an invalid body without numbering it', () => {
    const diagnostics: Diagnostic[] = []
    const { push, end } = run(frameSequencer({ version: 'v1', stream, ...clockwork() }), {
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    })
    const frames = [
      ...push({ type: 'session_started', input: '' }),
      ...push({ type: 'session_ended' } as FrameV1Body),
      ...push({ type: 'session_ended', reason: 'completed' }),
      ...end(),
    ]
    expect(diagnostics).toMatchObject([{ code: 'invalid-event', path: '/reason' }])
    const verifier = run(frameVerifier({ version: 'v1' }))
    expect([...frames.flatMap((frame) => [...verifier.push(frame)]), ...verifier.end()]).toEqual([])
  })

  it.each([
    [{ version: 'v3' }, 'version'],
    [{ stream: { kind: '', id: 's' } }, 'stream.kind'],
    [{ stream: { kind: 'session', id: '' } }, 'stream.id'],
    [{ newId: 'x' }, 'newId'],
    [{ now: 5 }, 'now'],
    [{ strem: 5 }, 'options'],
  ])('throws for %j', (wrong, name) => {
    const options = { version: 'v1', stream, ...clockwork(), ...wrong } as Parameters<
      typeof frameSequencer
    >[0]
    expect(() => frameSequencer(options)).toThrow(`"${name}" must be `)
  })
})
