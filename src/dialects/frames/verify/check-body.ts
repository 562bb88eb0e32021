/** Rules of tools and skills, and the dispatch to the rules of other frame bodies. */

import { describeValue } from '../../../core/require.ts'
import type { ToolEndedFrame, ToolStartedFrame } from '../wire/tool-types.ts'
import type { FrameBodyOf, FrameV2Body } from '../wire/types.ts'
import { checkCheckpoint, checkRewind } from './check-checkpoint.ts'
import { checkProviderEvent } from './check-provider.ts'
import { type Report, WARN } from './report.ts'
import { MAX_ITEMS, pushBounded, type VerifiedStream, type VerifiedTool, withDetails } from './state.ts'

/** How far a tool may exceed its timeout before it is stopped, in milliseconds. */
const TIMEOUT_SLACK = 1000

/** Checks the body of a frame. Returns the stream after it. */
export function checkBody(
  stream: VerifiedStream,
  frame: FrameV2Body,
  timestamp: number,
  report: Report,
): VerifiedStream {
  switch (frame.type) {
    case 'tool_started':
      return checkToolStart(stream, frame, report)
    case 'tool_stdout':
    case 'tool_stderr':
    case 'tool_ended':
    case 'tool_failed':
      return checkToolFrame(stream, frame, report)
    case 'provider_event':
      return checkProviderEvent(stream, frame, report)
    case 'checkpoint_created':
      return checkCheckpoint(stream, frame, timestamp, report)
    case 'checkpoint_rewound':
      checkRewind(stream, frame, report)
      return stream
    case 'skill_loaded':
      return withDetails(stream, { skills: pushBounded(stream.details.skills, frame.name) })
    case 'skill_invoked':
      return checkSkill(stream, frame, report)
    default:
      return stream
  }
}

/** Reports what is still open when a session ends. */
export function checkLeftOpen({ tools, details }: VerifiedStream, report: Report): void {
  for (const { id, isOpen } of tools) {
    if (!isOpen) continue
    const message = `Tool ${describeValue(id)} did not end before its session.`
    report('tool-lifecycle', message, undefined, { ...WARN, actual: id })
  }
  for (const actual of details.checkpointedTools ?? []) {
    const message = `Tool ${describeValue(actual)} did not start after its automatic checkpoint.`
    report('checkpoint-before-tool', message, undefined, { ...WARN, actual })
  }
}

function checkToolStart(stream: VerifiedStream, frame: ToolStartedFrame, report: Report): VerifiedStream {
  const { tools, details } = stream
  const { tool_id: id, name, timeout_ms: timeout = null } = frame
  const { allowedTools = [name], checkpointedTools = [] } = details
  if (tools.some((tool) => tool.id === id)) {
    report('tool-lifecycle', `Duplicate tool_started for tool_id ${describeValue(id)}.`, '/tool_id')
  }
  if (!allowedTools.includes(name)) {
    const message = `Expected one of the tools the skill allows (${allowedTools.join(', ')}), got ${describeValue(name)}.`
    report('skill-order', message, '/name', { expected: allowedTools })
  }
  const at = checkpointedTools.indexOf(name)
  const started = { id, name, timeout, isOpen: true, hasCheckpoint: at >= 0 }
  const next = { ...stream, tools: [...tools.filter((tool) => tool.id !== id), started] }
  if (at < 0) return next
  return withDetails(next, { checkpointedTools: checkpointedTools.filter((_, i) => i !== at) })
}

type ToolFrame = FrameBodyOf<'tool_stdout' | 'tool_stderr' | 'tool_failed'> | ToolEndedFrame

function checkToolFrame(stream: VerifiedStream, frame: ToolFrame, report: Report): VerifiedStream {
  const { tools, hasGap } = stream
  const tool = tools.find(({ id, isOpen }) => isOpen && id === frame.tool_id)
  if (tool === undefined && !hasGap) {
    const message = `${frame.type} for tool_id ${describeValue(frame.tool_id)}, which is not running.`
    report('tool-lifecycle', message, '/tool_id')
  }
  if (tool === undefined || 'chunk' in frame) return stream
  const { timeout } = tool
  if ('duration_ms' in frame && timeout !== null && frame.duration_ms > timeout + TIMEOUT_SLACK) {
    const message = `Expected duration_ms of at most ${timeout} plus ${TIMEOUT_SLACK}, got ${frame.duration_ms}.`
    report('tool-timing', message, '/duration_ms', { expected: timeout })
  }
  const closed = tools.map((other) => (other === tool ? { ...tool, isOpen: false } : other))
  return { ...stream, tools: boundEnded(closed) }
}

/** Drops the oldest ended tool if there are too many. */
function boundEnded(tools: readonly VerifiedTool[]): readonly VerifiedTool[] {
  const ended = tools.filter(({ isOpen }) => !isOpen)
  return ended.length > MAX_ITEMS ? tools.filter((tool) => tool !== ended[0]) : tools
}

function checkSkill(
  stream: VerifiedStream,
  { name, effective_allowed_tools: tools }: FrameBodyOf<'skill_invoked'>,
  report: Report,
): VerifiedStream {
  const { allowedTools, ...details } = stream.details
  if (details.skills?.includes(name) !== true && !stream.hasGap) {
    report('skill-order', `Skill ${describeValue(name)} was invoked but not loaded.`, '/name')
  }
  return { ...stream, details: tools === undefined ? details : { ...details, allowedTools: [...tools] } }
}
