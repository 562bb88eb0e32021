/** The rules of what frames say: tools, provider events, checkpoints, skills, artifacts. */

import type { CheckpointCreatedFrame, ProviderEventFrame } from '../wire/session-types.ts'
import type { FrameV2Body } from '../wire/types.ts'
import type { Report } from './rules.ts'
import {
  type FrameVerifierState,
  MAX_ARTIFACTS,
  MEMORY,
  remember,
  type VerifiedStream,
  type VerifiedTool,
} from './state.ts'

/** How much longer than its timeout a tool may take to be stopped, in milliseconds. */
const SLACK = 1000

const WARN = { severity: 'warn' } as const

/** The stream with some of what is remembered replaced. */
export function withMore(stream: VerifiedStream, more: VerifiedStream['more']): VerifiedStream {
  return { ...stream, more: { ...stream.more, ...more } }
}

/** The stream after a frame, and reports of what is wrong with the frame. */
export function verifyBody(
  stream: VerifiedStream,
  frame: FrameV2Body,
  timestamp: number,
  report: Report,
): VerifiedStream {
  const { tools, more, isHoled } = stream
  switch (frame.type) {
    case 'tool_started': {
      const { tool_id: id, name, timeout_ms: timeout = null } = frame
      const { allowed = [name], awaited = [] } = more
      if (tools.some((tool) => tool.id === id)) report('tool-lifecycle', '/tool_id')
      if (!allowed.includes(name)) report('skill-order', '/name', { expected: allowed })
      const at = awaited.indexOf(name)
      const started = { id, name, timeout, isOpen: true, isSaved: at >= 0 }
      const waiting = { ...stream, tools: [...tools.filter((tool) => tool.id !== id), started] }
      return at < 0 ? waiting : withMore(waiting, { awaited: awaited.filter((_, i) => i !== at) })
    }
    case 'tool_stdout':
    case 'tool_stderr':
    case 'tool_ended':
    case 'tool_failed': {
      const tool = tools.find(({ id, isOpen }) => isOpen && id === frame.tool_id)
      if (tool === undefined && !isHoled) report('tool-lifecycle', '/tool_id')
      if (tool === undefined || 'chunk' in frame) return stream
      const { timeout } = tool
      if ('duration_ms' in frame && timeout !== null && frame.duration_ms > timeout + SLACK) {
        report('tool-timing', '/duration_ms', { expected: timeout })
      }
      return { ...stream, tools: bounded(replaced(tools, tool, { isOpen: false })) }
    }
    case 'provider_event':
      return verifyProviderEvent(stream, frame, report)
    case 'checkpoint_created':
      return verifyCheckpoint(stream, frame, timestamp, report)
    case 'checkpoint_rewound': {
      const known = more.checkpoints?.find(({ id }) => id === frame.checkpoint_id)
      const rule = 'known-checkpoint'
      if (known === undefined) {
        if (!isHoled) report(rule, '/checkpoint_id')
        return stream
      }
      const { label, files } = known
      if (frame.label !== label) report(rule, '/label', { expected: label })
      const isOther = (file: string): boolean => !files.includes(file)
      if (files.length < MEMORY && frame.files.some(isOther)) report(rule, '/files', { expected: files })
      return stream
    }
    case 'skill_loaded':
      return withMore(stream, { skills: remember(more.skills, frame.name) })
    case 'skill_invoked': {
      if (more.skills?.includes(frame.name) !== true && !isHoled) report('skill-order', '/name')
      const { allowed, ...rest } = more
      const { effective_allowed_tools: tools } = frame
      return { ...stream, more: tools === undefined ? rest : { ...rest, allowed: [...tools] } }
    }
    default:
      return stream
  }
}

/** What must be over when a session ends. */
export function verifyLeftOpen({ tools, more }: VerifiedStream, report: Report): void {
  for (const { id, isOpen } of tools) {
    if (isOpen) report('tool-lifecycle', undefined, { ...WARN, actual: id })
  }
  for (const actual of more.awaited ?? []) report('checkpoint-before-tool', undefined, { ...WARN, actual })
}

function replaced(
  tools: readonly VerifiedTool[],
  tool: VerifiedTool,
  by: Partial<VerifiedTool>,
): readonly VerifiedTool[] {
  return tools.map((other) => (other === tool ? { ...tool, ...by } : other))
}

/** Without the first that ended, where too many have. */
function bounded(tools: readonly VerifiedTool[]): readonly VerifiedTool[] {
  const ended = tools.filter(({ isOpen }) => !isOpen)
  return ended.length > MEMORY ? tools.filter((tool) => tool !== ended[0]) : tools
}

function verifyProviderEvent(
  stream: VerifiedStream,
  { status, data = null, raw = null, errors }: ProviderEventFrame,
  report: Report,
): VerifiedStream {
  const rule = 'provider-events'
  const isEvent = status === 'event'
  // A failure of the transport is an event with nothing but errors.
  if (isEvent ? data === null && errors.length === 0 : data !== null) report(rule, '/data')
  if (status === 'invalid_json' && raw === null) report(rule, '/raw')
  if (status === 'invalid_json' && errors.length === 0) report(rule, '/errors')

  // Providers that number their events do so by this.
  const number = isEvent ? (data as { sequence_number?: unknown } | null)?.sequence_number : undefined
  const { provider: before, ...more } = stream.more
  if (!Number.isSafeInteger(number)) return before === undefined ? stream : { ...stream, more }
  const provider = number as number
  if (before !== undefined && provider > before + 1 && !stream.isHoled) {
    report(rule, '/data/sequence_number', { expected: before + 1 })
  }
  return { ...stream, more: { ...more, provider } }
}

function verifyCheckpoint(
  stream: VerifiedStream,
  { checkpoint_id: id, label, files, auto, tool_name, created_at_ms }: CheckpointCreatedFrame,
  timestamp: number,
  report: Report,
): VerifiedStream {
  const rule = 'checkpoint-before-tool'
  if (created_at_ms > timestamp) report(rule, '/created_at_ms', { ...WARN, expected: timestamp })
  if (!files.every(isWithinWorkspace)) report(rule, '/files')
  const kept = { id, label, files: files.slice(0, MEMORY) }
  const next = withMore(stream, { checkpoints: remember(stream.more.checkpoints, kept) })
  if (!auto) return next
  const tool = tool_name ?? null
  if (tool === null) {
    report(rule, '/tool_name')
    return next
  }
  // Calls of one tool may run side by side, each with its checkpoint before it.
  const late = stream.tools.find(({ name, isOpen, isSaved }) => name === tool && isOpen && !isSaved)
  if (late === undefined) return withMore(next, { awaited: remember(next.more.awaited, tool) })
  report(rule, '/tool_name')
  return { ...next, tools: replaced(next.tools, late, { isSaved: true }) }
}

function isWithinWorkspace(file: string): boolean {
  return file !== '' && !/^([A-Za-z]:)?[\\/]|(^|[\\/])\.\.([\\/]|$)/.test(file)
}

/** The artifacts after a frame, which any stream may write and refer to. */
export function verifyArtifacts(
  artifacts: FrameVerifierState['artifacts'],
  frame: FrameV2Body,
  isHoled: boolean,
  report: Report,
): FrameVerifierState['artifacts'] {
  const rule = 'artifact-identity'
  if (frame.type !== 'artifact_written') {
    const refs = 'artifact_refs' in frame ? (frame.artifact_refs ?? []) : []
    const isKnown = (ref: string): boolean => artifacts.some(({ id }) => id === ref)
    if (!refs.every(isKnown) && !isHoled && artifacts.length < MAX_ARTIFACTS)
      report(rule, '/artifact_refs', WARN)
    return artifacts
  }
  const { artifact_id, digest } = frame
  if (!/^[\w-]+:[0-9a-f]+$/i.test(digest)) report(rule, '/digest')
  const known = artifacts.find(({ id }) => id === artifact_id)
  if (known === undefined) return remember(artifacts, { id: artifact_id, digest }, MAX_ARTIFACTS)
  if (known.digest !== digest) report(rule, '/digest', { expected: known.digest })
  return artifacts
}
