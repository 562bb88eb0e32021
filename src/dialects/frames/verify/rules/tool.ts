/** Rules of tools within a session. */

import {
  type BoundedMap,
  boundedGet,
  boundedValues,
  emptyBoundedMap,
} from '../../../../core/bounded-map/bounded-map.ts'
import { describeValue } from '../../../../core/require.ts'
import { reportUnexpected } from '../../../../rules/expect.ts'
import { defineRule, ERROR_LENIENT_WARN, type Rules, WARN_LENIENT_OFF } from '../../../../rules/rule.ts'
import { MAX_ITEMS } from '../../../shared/limits.ts'
import type { ToolStartedFrame } from '../../wire/types.generated.ts'
import type { FrameBodyOf } from '../../wire/types.ts'
import { AS_WARNING, type FrameContext } from '../context.ts'
import type { ToolRuleName } from '../rule-names.ts'
import { checkPending, endProtected, startProtected, type WithCheckpoints } from './checkpoint.ts'
import { checkAllowedTool, type WithSkills } from './skill.ts'

export const toolRules: Rules<ToolRuleName> = {
  'tool-lifecycle': defineRule(
    'F08',
    'inferred',
    ERROR_LENIENT_WARN,
    'A tool starts once, emits output only while running, and ends once, before its session does (warn).',
  ),
  'tool-timing': defineRule(
    'F09',
    'inferred',
    WARN_LENIENT_OFF,
    'A tool runs at most timeout_ms plus one second.',
  ),
}

export interface WithTools {
  /** The calls that run, and the last ones that ended. */
  readonly tools: BoundedMap<VerifiedTool>
}

/** What a check of a tool needs to know of its stream. */
export type ToolContext = FrameContext<WithTools & WithCheckpoints & WithSkills>

/** One call of a tool. */
interface VerifiedTool {
  readonly id: string
  readonly timeout: number | null
  readonly isOpen: boolean
  /** The position of the frame that started it. */
  readonly index: number
}

export const noTools: BoundedMap<VerifiedTool> = emptyBoundedMap

/** How far a tool may exceed its timeout before it is stopped, in milliseconds. */
const TIMEOUT_SLACK = 1000

export function checkToolStarted(context: ToolContext, frame: ToolStartedFrame): void {
  const { tool_id: id, name, timeout_ms: timeout = null } = frame
  const known = boundedGet(context.stream.tools, id)
  if (known !== undefined) {
    const message = `Expected one tool_started for tool_id ${describeValue(id)}, got another.`
    context.report('tool-lifecycle', message, { path: '/tool_id', relatedEventIndex: known.index })
  }
  checkAllowedTool(context, name)
  startProtected(context, id, name)
  setTool(context, { id, timeout, isOpen: true, index: context.index })
}

type ToolFrame = FrameBodyOf<'tool_stdout' | 'tool_stderr' | 'tool_failed' | 'tool_ended'>

export function checkToolFrame(context: ToolContext, frame: ToolFrame): void {
  const { tool_id: id, type } = frame
  const tool = boundedGet(context.stream.tools, id)
  if (tool?.isOpen !== true) {
    if (context.stream.hasGap) return
    reportUnexpected(context, 'tool-lifecycle', '/tool_id', `the tool_id of a running tool in ${type}`, id)
    return
  }
  if ('chunk' in frame) return
  const { timeout, index: relatedEventIndex } = tool
  if ('duration_ms' in frame && timeout !== null && frame.duration_ms > timeout + TIMEOUT_SLACK) {
    const message = `Expected duration_ms of at most ${timeout} plus ${TIMEOUT_SLACK}, got ${frame.duration_ms}.`
    context.report('tool-timing', message, { path: '/duration_ms', expected: timeout, relatedEventIndex })
  }
  endProtected(context, id)
  setTool(context, { id, timeout, isOpen: false, index: relatedEventIndex })
}

function setTool(context: ToolContext, tool: VerifiedTool): void {
  if (context.store(context.stream, 'tools', tool.id, tool, MAX_ITEMS)) context.stream.hasGap = true
}

/** Reports what is still open when a session or the log ends. */
export function checkLeftOpen(context: ToolContext): void {
  const open = [...boundedValues(context.stream.tools)].filter(({ isOpen }) => isOpen)
  for (const { id, index } of open.sort((a, b) => a.index - b.index)) {
    const message = `Expected tool ${describeValue(id)} to end before its session, got no end.`
    context.report('tool-lifecycle', message, { ...AS_WARNING, actual: id, relatedEventIndex: index })
  }
  checkPending(context)
}
