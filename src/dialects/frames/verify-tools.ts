/** The rules of what happens within any stream: tools, checkpoints, provider events, skills. */
import type { CheckpointCreatedFrame, CheckpointRewoundFrame, ProviderEventFrame } from './session-types.ts'
import type { SkillInvokedFrame } from './store-types.ts'
import type { ToolEndedFrame, ToolFailedFrame, ToolStartedFrame } from './tool-types.ts'
import type { FrameV2Body } from './types.ts'
import { type Findings, MEMORY, remember, type VerifiedStream, type VerifiedTool } from './verifier-state.ts'

/** How much longer than its timeout a tool may take to be stopped, in milliseconds. */
const TIMEOUT_SLACK = 1000

/** How many file names of a checkpoint are remembered. */
const MAX_FILES = 1000

/** The stream after a frame, and what is wrong with the frame. */
export function verifyWithin(
  stream: VerifiedStream,
  frame: FrameV2Body,
  timestamp: number,
  found: Findings,
): VerifiedStream {
  switch (frame.type) {
    case 'tool_started':
      return verifyStart(stream, frame, found)
    case 'tool_stdout':
    case 'tool_stderr':
      if (!runningTool(stream, frame.tool_id) && !stream.isHoled) {
        found.error('tool-lifecycle', 'Output of a tool that is not running.', toolPath(frame))
      }
      return stream
    case 'tool_ended':
    case 'tool_failed':
      return verifyEnd(stream, frame, found)
    case 'provider_event':
      return verifyProviderEvent(stream, frame, found)
    case 'checkpoint_created':
      return verifyCheckpoint(stream, frame, timestamp, found)
    case 'checkpoint_rewound':
      verifyRewound(stream, frame, found)
      return stream
    case 'skill_loaded':
      return withMore(stream, { skills: remember(stream.more.skills, frame.name) })
    case 'skill_invoked':
      return verifySkill(stream, frame, found)
    default:
      return stream
  }
}

/** What must be over when a session ends. */
export function verifyLeftOpen({ tools, more }: VerifiedStream, found: Findings): void {
  for (const { id, name, isOpen } of tools) {
    if (isOpen) {
      const actual = { tool_id: id, name }
      found.warn('tool-lifecycle', 'The session ends while a tool is running.', { actual })
    }
  }
  for (const actual of more.awaited ?? []) {
    found.warn('checkpoint-before-tool', 'No tool follows the automatic checkpoint made for it.', { actual })
  }
}

function toolPath({ tool_id }: { tool_id: string }): { path: string; actual: string } {
  return { path: '/tool_id', actual: tool_id }
}

function withMore(stream: VerifiedStream, more: VerifiedStream['more']): VerifiedStream {
  return { ...stream, more: { ...stream.more, ...more } }
}

function runningTool({ tools }: VerifiedStream, id: string): VerifiedTool | undefined {
  return tools.find((tool) => tool.isOpen && tool.id === id)
}

function verifyStart(stream: VerifiedStream, frame: ToolStartedFrame, found: Findings): VerifiedStream {
  const { tool_id: id, name, timeout_ms: timeout = null } = frame
  if (stream.tools.some((tool) => tool.id === id)) {
    found.error('tool-lifecycle', 'This call has started before.', toolPath(frame))
    return stream
  }
  const { allowed, awaited = [] } = stream.more
  if (allowed !== undefined && !allowed.includes(name)) {
    found.warn('skill-order', 'The skill in use does not allow this tool.', {
      path: '/name',
      expected: allowed,
      actual: name,
    })
  }
  const at = awaited.indexOf(name)
  const tools = [...stream.tools, { id, name, timeout, isOpen: true, isSaved: at >= 0 }]
  const rest = at < 0 ? {} : { awaited: awaited.toSpliced(at, 1) }
  return withMore({ ...stream, tools }, rest)
}

function verifyEnd(
  stream: VerifiedStream,
  frame: ToolEndedFrame | ToolFailedFrame,
  found: Findings,
): VerifiedStream {
  const tool = runningTool(stream, frame.tool_id)
  if (tool === undefined) {
    if (!stream.isHoled)
      found.error('tool-lifecycle', 'The end of a tool that is not running.', toolPath(frame))
    return stream
  }
  if (
    frame.type === 'tool_ended' &&
    tool.timeout !== null &&
    frame.duration_ms > tool.timeout + TIMEOUT_SLACK
  ) {
    const more = { path: '/duration_ms', expected: tool.timeout, actual: frame.duration_ms }
    found.warn('tool-timing', 'The tool ran longer than it may.', more)
  }
  const tools = stream.tools.map((other) => (other === tool ? { ...tool, isOpen: false } : other))
  const ended = tools.filter(({ isOpen }) => !isOpen)
  return { ...stream, tools: ended.length > MEMORY ? tools.filter((other) => other !== ended[0]) : tools }
}

function verifyProviderEvent(
  stream: VerifiedStream,
  frame: ProviderEventFrame,
  found: Findings,
): VerifiedStream {
  const { status, data = null, raw = null, errors } = frame
  const rule = 'provider-events'
  if (status === 'event' && data === null && errors.length === 0) {
    found.error(rule, 'An event without data and without an error.', { path: '/data', actual: null })
  }
  if (status !== 'event' && data !== null) {
    found.error(rule, `With the status ${status} there is no data.`, { path: '/data', expected: null })
  }
  if (status === 'invalid_json' && raw === null) {
    found.error(rule, 'The text that is not JSON must be kept.', { path: '/raw', actual: null })
  }
  if (status === 'invalid_json' && errors.length === 0) {
    found.error(rule, 'It must say what is wrong with the JSON.', { path: '/errors' })
  }

  const before = stream.more.provider
  const number = status === 'event' ? sequenceNumberOf(data) : undefined
  if (before !== undefined && number !== undefined && number > before + 1 && !stream.isHoled) {
    const more = { path: '/data/sequence_number', expected: before + 1, actual: number }
    found.error(rule, 'Events of the provider are missing.', more)
  }
  if (number !== undefined) return withMore(stream, { provider: number })
  if (before === undefined) return stream
  const { provider, ...more } = stream.more
  return { ...stream, more }
}

/** Providers that number their events do so by `sequence_number`. */
function sequenceNumberOf(data: unknown): number | undefined {
  const number = (data as { sequence_number?: unknown } | null)?.sequence_number
  return Number.isSafeInteger(number) ? (number as number) : undefined
}

function verifyCheckpoint(
  stream: VerifiedStream,
  frame: CheckpointCreatedFrame,
  timestamp: number,
  found: Findings,
): VerifiedStream {
  const { checkpoint_id: id, label, files, auto, tool_name: tool = null, created_at_ms } = frame
  const rule = 'checkpoint-before-tool'
  if (created_at_ms > timestamp) {
    const more = { path: '/created_at_ms', expected: timestamp, actual: created_at_ms }
    found.warn(rule, 'Made after its frame.', more)
  }
  const [stray] = files.filter((file) => !isWithinWorkspace(file))
  if (stray !== undefined) {
    const path = `/files/${files.indexOf(stray)}`
    found.error(rule, 'Not a path within the workspace.', { path, actual: stray })
  }
  const kept = { id, label, files: files.length > MAX_FILES ? null : [...files] }
  const next = withMore(stream, { checkpoints: remember(stream.more.checkpoints, kept) })
  if (!auto) return next
  if (tool === null) {
    found.error(rule, 'An automatic checkpoint names its tool.', { path: '/tool_name', actual: null })
    return next
  }
  // Calls of one tool may run side by side, each with its checkpoint before it.
  const late = stream.tools.find(({ name, isOpen, isSaved }) => name === tool && isOpen && !isSaved)
  if (late === undefined) return withMore(next, { awaited: remember(next.more.awaited, tool) })
  found.error(rule, 'The tool it was made for has started already.', { path: '/tool_name', actual: tool })
  return {
    ...next,
    tools: next.tools.map((other) => (other === late ? { ...late, isSaved: true } : other)),
  }
}

function isWithinWorkspace(file: string): boolean {
  return file !== '' && !/^([A-Za-z]:)?[\\/]/.test(file) && !file.split(/[\\/]/).includes('..')
}

function verifyRewound(stream: VerifiedStream, frame: CheckpointRewoundFrame, found: Findings): void {
  const { checkpoint_id: id, label, files } = frame
  const known = stream.more.checkpoints?.find((checkpoint) => checkpoint.id === id)
  const rule = 'known-checkpoint'
  if (known === undefined) {
    if (stream.isHoled) return
    found.warn(rule, 'No checkpoint of this stream.', { path: '/checkpoint_id', actual: id })
    return
  }
  if (known.label !== label) {
    const more = { path: '/label', expected: known.label, actual: label }
    found.warn(rule, 'The checkpoint has another label.', more)
  }
  const { files: saved } = known
  const at = saved === null ? -1 : files.findIndex((file) => !saved.includes(file))
  if (at >= 0)
    found.warn(rule, 'Not in the checkpoint.', { path: `/files/${at}`, expected: saved, actual: files[at] })
}

function verifySkill(stream: VerifiedStream, frame: SkillInvokedFrame, found: Findings): VerifiedStream {
  const { name, effective_allowed_tools } = frame
  if (stream.more.skills?.includes(name) !== true && !stream.isHoled) {
    found.warn('skill-order', 'The skill was not loaded before.', { path: '/name', actual: name })
  }
  const { allowed, ...more } = stream.more
  return effective_allowed_tools === undefined
    ? { ...stream, more }
    : withMore(stream, { allowed: effective_allowed_tools.slice(0, MAX_FILES) })
}
