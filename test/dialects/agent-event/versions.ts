/** Streams of the later versions of the format, as its runtime sends them, and mutations of any stream. */

import fc from 'fast-check'
import { jsonValue } from '../../support/json.ts'

/** An event of a later version. */
export type LaterEvent = { type: string; [field: string]: unknown }

interface Move {
  do: 'think' | 'write' | 'call' | 'progress' | 'finish' | 'fail' | 'note'
  at: number
  text: string
  data: unknown
}

const text = fc.string({ unit: 'grapheme', maxLength: 6 })

const move: fc.Arbitrary<Move> = fc.record({
  do: fc.constantFrom<Move['do']>('think', 'write', 'call', 'progress', 'finish', 'fail', 'note'),
  at: fc.nat({ max: 9 }),
  text,
  data: jsonValue({ maxDepth: 2, stringUnit: 'grapheme' }),
})

/** Valid streams of version 2 or 3: calls are nested, every call has an id, and one of three ends. */
export function laterStream(version: 2 | 3): fc.Arbitrary<LaterEvent[]> {
  return fc
    .tuple(fc.array(move, { maxLength: 20 }), fc.constantFrom('final', 'error', 'cancelled'), text)
    .map(([moves, end, message]) => {
      const events: LaterEvent[] =
        version === 2 ? [{ type: 'connected', conversationId: 'conversation' }] : []
      let seq = 0
      let at = 1_770_000_000_000
      const send = (event: LaterEvent): void => {
        at += 5
        const isOfTool = event.type.startsWith('tool_') && event.type !== 'tool_call'
        seq += isOfTool ? 2 : 1
        events.push({ ...event, ...(version === 2 ? { seq, at, messageId: 'm-1' } : { runId: 'run-1', at }) })
      }
      const open: { callId: string; toolName: string }[] = []
      send({ type: 'start' })
      for (const [i, { do: what, at: n, text: content, data }] of moves.entries()) {
        const call = open.at(-1)
        if (what === 'think') send({ type: 'thought', content })
        else if (what === 'write') send({ type: version === 2 ? 'stream' : 'text_chunk', content })
        else if (what === 'call') {
          const opened = { callId: `tc_${i}`, toolName: ['read', 'write'][n % 2] ?? 'read' }
          open.push(opened)
          send({ type: 'tool_call', ...opened, toolArgs: { [content]: data } })
        } else if (what === 'note' && version === 3) {
          const notes = [
            { type: 'audio', filePath: content, voice: 'v' },
            { type: 'loop_usage', used: n, total: 100 },
            { type: 'hook', hookId: `hook-${i}`, summary: content, data },
          ]
          send(notes[n % 3] as LaterEvent)
        } else if (what === 'note') events.push({ type: 'heartbeat' })
        else if (call !== undefined && what === 'progress') {
          const { callId, toolName } = call
          send({ type: 'tool_progress', callId, data, ...(version === 2 && { toolName }) })
        } else if (call !== undefined) {
          open.pop()
          if (what === 'fail') send({ type: 'tool_error', ...call, error: content })
          else send({ type: 'tool_result', ...call, output: data })
        }
      }
      const ends: Record<string, LaterEvent> = {
        final: { type: 'final' },
        error: { type: 'error', error: message },
        cancelled: { type: 'cancelled', reason: message },
      }
      send(ends[end] as LaterEvent)
      return events
    })
}

/** Streams with a few events dropped, repeated, moved, or with a field replaced. */
export function mutated<E extends object>(streams: fc.Arbitrary<readonly E[]>): fc.Arbitrary<readonly E[]> {
  const mutation = fc.record({
    how: fc.constantFrom('drop', 'repeat', 'move', 'field', 'add'),
    at: fc.nat(),
    to: fc.nat(),
    value: jsonValue({ maxDepth: 1, stringUnit: 'grapheme' }),
  })
  return fc.tuple(streams, fc.array(mutation, { minLength: 1, maxLength: 4 })).map(([events, mutations]) => {
    const list = [...events]
    for (const { how, at, to, value } of mutations) {
      const from = at % Math.max(list.length, 1)
      const event = list[from]
      if (event === undefined) break
      const fields = Object.keys(event)
      if (how === 'drop') list.splice(from, 1)
      else if (how === 'repeat') list.splice(to % list.length, 0, event)
      else if (how === 'move') list.splice(to % list.length, 0, ...list.splice(from, 1))
      else if (how === 'field') list[from] = { ...event, [fields[to % fields.length] ?? 'type']: value }
      else list[from] = { ...event, 'x-field': value }
    }
    return list
  })
}

/** The snapshots that a server of version 3 sends for a stream whose calls are not nested, one after each event. */
export function snapshotsOf(events: readonly LaterEvent[]): LaterEvent[] {
  interface Step {
    thought: string
    action?: Record<string, unknown> & { progress?: unknown[] }
    observation?: string
    startedAt: number
    completedAt?: number
  }
  const view = {
    content: '',
    steps: [] as Step[],
    status: 'running',
    audio: null as unknown,
    hooks: [] as unknown[],
  }
  const openStep = (): Step | undefined => {
    const last = view.steps.at(-1)
    return last?.completedAt === undefined ? last : undefined
  }
  const ensureStep = (at: number): Step => {
    const open = openStep()
    if (open !== undefined) return open
    const step: Step = { thought: '', startedAt: at }
    view.steps.push(step)
    return step
  }
  const close = (at: number): void => {
    const step = openStep()
    if (step !== undefined) step.completedAt = at
  }
  return events.map((event) => {
    const at = event.at as number
    const step = openStep()
    if (event.type === 'thought') ensureStep(at).thought += event.content as string
    else if (event.type === 'tool_call') {
      const { callId, toolName, toolArgs } = event
      ensureStep(at).action = { callId, toolName, toolArgs, status: 'pending' }
    } else if (event.type === 'tool_progress' && step?.action !== undefined) {
      step.action.progress = [...(step.action.progress ?? []), event.data]
    } else if (event.type === 'tool_result' && step?.action !== undefined) {
      step.action.status = 'completed'
      step.observation = typeof event.output === 'string' ? event.output : JSON.stringify(event.output)
      step.completedAt = at
    } else if (event.type === 'tool_error' && step?.action !== undefined) {
      Object.assign(step.action, { status: 'failed', error: event.error })
      step.observation = `Error: ${String(event.error)}`
      step.completedAt = at
    } else if (event.type === 'text_chunk') view.content += event.content as string
    else if (event.type === 'hook') {
      const { hookId, summary, data } = event
      view.hooks.push({ hookId, summary, data })
    } else if (event.type === 'audio') view.audio = { filePath: event.filePath, voice: event.voice }
    else if (['final', 'error', 'cancelled'].includes(event.type)) {
      close(at)
      view.status = { final: 'completed', error: 'failed' }[event.type] ?? 'cancelled'
      if (event.type !== 'final') view.content = (event.error ?? event.reason) as string
    }
    const frame = { type: 'run_view', messageId: 'm-1', runId: 'run-1', ...view, awaitingInput: null }
    return structuredClone(frame)
  })
}

/** Whether no call begins while another one is open. */
export function hasNoNestedCalls(events: readonly LaterEvent[]): boolean {
  let open = 0
  return events.every(({ type }) => {
    if (type === 'tool_call') open++
    else if (type === 'tool_result' || type === 'tool_error') open--
    return open <= 1
  })
}
