// Proves that the code in docs/frames.md, docs/agent-event.md and docs/session.md behaves as the pages describe.
import { type ContextAnyEvent, createEmitter, type Diagnostic, type Emitter } from 'turnstream'
import type { AgentEvent, ToolEvent } from 'turnstream/agent-event'
import { encodeFrame, type FrameV1 } from 'turnstream/frames'
import { describe, expect, it } from 'vitest'
import { asAgent, askWithTool, asTask, brokenRules } from '../../examples/docs/agent-event.ts'
import { readLog, writeLog } from '../../examples/docs/frames.ts'
import { sessionClient, sessionServer } from '../../examples/docs/session.ts'

const fail = (diagnostic: Diagnostic): void => {
  throw new Error(`Unexpected diagnostic ${diagnostic.code}`)
}

function emitter(): Emitter {
  return createEmitter({ contextId: 'ctx-1', taskId: 'task-1', now: () => '2026-05-01T08:00:00.000Z' })
}

describe('frames', () => {
  const session_id = '3f2b8c1e-64a7-4f6c-9d1b-0a5c7e2f4b10'
  const id = (seq: number): string => `3f2b8c1e-64a7-4f6c-9d1b-0a5c7e2f4b${20 + seq}`
  const bodies = [
    { type: 'session_started', input: 'List the files' },
    { type: 'tool_started', tool_id: 't-1', name: 'bash', args: { command: 'ls' }, timeout_ms: null },
    { type: 'tool_stdout', tool_id: 't-1', chunk: 'a.txt\n' },
    { type: 'tool_ended', tool_id: 't-1', exit_code: 0, duration_ms: 4, artifacts: null },
    { type: 'output_text_delta', delta: 'One file.' },
    { type: 'session_ended', reason: 'completed' },
  ]
  const frames = bodies.map((body, seq) => ({
    id: id(seq),
    session_id,
    timestamp_ms: 1e12 + seq,
    seq,
    ...body,
  }))
  const lines = frames.map((frame) => encodeFrame(frame as FrameV1))

  it('reads a log as events, and writes them as the same frames', () => {
    const { events, diagnostics: remarks } = readLog(lines, 'v1')
    expect(remarks).toEqual([])
    expect(events.map(({ kind }) => kind)).toEqual([
      'task-created',
      'task-status',
      'tool-start',
      'tool-progress',
      'tool-complete',
      'content-delta',
      'content-complete',
      'task-status',
      'task-complete',
    ])
    const codes: string[] = []
    const onDiagnostic = ({ code }: Diagnostic): void => void codes.push(code)
    const again = writeLog(events, session_id, onDiagnostic).map((line) => ({ ...JSON.parse(line), id: '' }))
    expect(codes).toEqual(['lossy:contextId', 'dropped:task-status'])
    expect(again).toEqual(lines.map((line) => ({ ...JSON.parse(line), id: '' })))
  })

  it('reports the faults of a log, and converts the rest', () => {
    const broken = [
      ...lines.slice(0, 2),
      ...lines.slice(3, 5),
      '{"id":"half a li',
      lines[5]?.replace('"seq":5', '"seq":9007199254740993') ?? '',
    ]
    const { events, diagnostics: remarks } = readLog(broken, 'v1')
    expect(remarks).toEqual([
      `sequence: ${session_id} 3`,
      expect.stringMatching(/^gap: /),
      expect.stringMatching(/object/i),
      expect.stringContaining('/seq'),
      `session-lifecycle: ${session_id} at the end`,
    ])
    expect(events.at(-1)).toMatchObject({ kind: 'content-delta', delta: 'One file.' })
  })

  it('reports lost fields', () => {
    const { emit } = emitter()
    const diagnostics: string[] = []
    writeLog(
      [
        emit({ kind: 'task-created', initiator: 'agent', metadata: { input: 'Go' } }),
        emit({ kind: 'thought-stream', thoughtType: 'planning', verbosity: 'brief', content: 'Hm' }),
      ],
      session_id,
      ({ code }) => void diagnostics.push(code),
    )
    expect(diagnostics).toEqual([
      'lossy:contextId',
      'lossy:taskId',
      'lossy:initiator',
      'dropped:thought-stream',
    ])
  })
})

describe('agent events', () => {
  async function* weather(): AsyncGenerator<ToolEvent> {
    yield { type: 'progress', toolName: 'weather', data: { percent: 50 } }
    yield { type: 'result', toolName: 'weather', output: 'Rain' }
  }

  it('survive a round trip', async () => {
    const sent: AgentEvent[] = []
    for await (const event of askWithTool(weather, 'Oslo')) sent.push(event)
    expect(brokenRules(sent)).toEqual([])
    const ids = { contextId: 'ctx-1', taskId: 'task-1' }
    const again: AgentEvent[] = []
    const task = asTask(askWithTool(weather, 'Oslo'), ids, fail)
    const codes: string[] = []
    for await (const event of asAgent(task, ({ code }) => codes.push(code))) {
      const { toolCallId: _, ...plain } = event as AgentEvent & { toolCallId?: string }
      again.push(plain)
    }
    expect(again).toEqual(sent)
    expect(codes).toEqual(['dropped:task-created', 'dropped:task-status'])
  })

  it('are checked against the rules', () => {
    expect(
      brokenRules([
        { type: 'tool_result', toolName: 'weather', output: 'Rain' },
        { type: 'final' },
        { type: 'stream', content: 'And' },
      ]),
    ).toEqual(['0: result-matches-call', '2: nothing-after-terminal'])
  })
})

describe('a session', () => {
  const turn = (): ContextAnyEvent[] => {
    const { emit } = emitter()
    return [
      emit({ kind: 'task-created', initiator: 'user', metadata: { input: 'Go' } }),
      emit({ kind: 'task-status', status: 'working' }),
      emit({ kind: 'tool-start', toolCallId: 'c-1', toolName: 'bash', arguments: { command: 'ls' } }),
      emit({ kind: 'tool-complete', toolCallId: 'c-1', toolName: 'bash', success: true, result: 'a.txt' }),
      emit({ kind: 'content-delta', delta: 'One file.' }),
      emit({ kind: 'content-complete', content: 'One file.' }),
      emit({ kind: 'task-status', status: 'completed' }),
      emit({ kind: 'task-complete', content: 'One file.' }),
    ]
  }

  it('delivers each event once, over a connection that breaks anywhere', () => {
    for (let breaksAfter = 0; breaksAfter < 14; breaksAfter++) {
      const events: ContextAnyEvent[] = []
      const diagnostics: string[] = []
      const onDiagnostic = ({ code }: Diagnostic): void => void diagnostics.push(code)
      const client = sessionClient('ctx-1', (event) => events.push(event), onDiagnostic)
      let left = breaksAfter
      const server = sessionServer('ctx-1', (text) => left-- > 0 && client.receive(text), onDiagnostic)
      for (const event of turn()) server.emit(event)
      server.end()
      left = Number.POSITIVE_INFINITY
      server.receive(client.reconnect())
      server.receive(client.ack())
      // Acknowledged events are dropped, so nothing is resent.
      server.receive(client.reconnect())
      expect(events).toEqual(turn())
      // Fields that the protocol requires and the core lacks are inferred, and removed again.
      expect(diagnostics).toEqual([])
    }
  })

  it('decodes the form that real servers send', () => {
    const events: ContextAnyEvent[] = []
    const codes: string[] = []
    const client = sessionClient(
      's-1',
      (event) => events.push(event),
      ({ code }) => void codes.push(code),
    )
    const texts = [
      '{"event":"plan.start","timestamp":"2026-05-01T08:00:00","content":{"question":"Go"}}',
      '{"event":"agent.tool_call","timestamp":"2026-05-01T08:00:01","step_id":"c-1","content":"Lists files","metadata":{"tool":"bash","args":{"command":"ls"}}}',
      'not JSON',
    ]
    for (const text of texts) client.receive(text)
    expect(events.find(({ kind }) => kind === 'tool-start')).toMatchObject({
      toolName: 'bash',
      arguments: { command: 'ls' },
    })
    const repairs = new Set(codes.filter((code) => !code.startsWith('lossy:')))
    expect(repairs).toEqual(new Set(['left-out', 'deviates:invalid-format', 'inferred:time-zone', 'renamed']))
  })
})
