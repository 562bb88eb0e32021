/** Rules of skills. */

import { describeValue } from '../../../../core/require.ts'
import { including } from '../../../../rules/bounded-list.ts'
import { reportUnexpected } from '../../../../rules/expect.ts'
import { defineRule, type Rules, WARN_LENIENT_OFF } from '../../../../rules/rule.ts'
import type { FrameBodyOf } from '../../wire/types.ts'
import { isFull, MAX_ITEMS, storable } from '../bounded-list.ts'
import type { FrameContext } from '../context.ts'
import type { SkillRuleName } from '../rule-names.ts'

export const skillRules: Rules<SkillRuleName> = {
  'skill-order': defineRule(
    'F17',
    'inferred',
    WARN_LENIENT_OFF,
    'A skill is loaded before it is invoked; while invoked, only its allowed tools start.',
  ),
}

export interface WithSkills {
  readonly skills: SkillState
}

interface SkillState {
  /** The names of the skills loaded last: at most 64. */
  readonly loaded: readonly string[]
  /** The tools that the invoked skill allows. `null` if it allows all, or too many to be stored. */
  readonly allowedTools: readonly string[] | null
}

export const noSkills: SkillState = { loaded: [], allowedTools: null }

export function checkSkillLoaded(
  { stream }: FrameContext<WithSkills>,
  { name }: FrameBodyOf<'skill_loaded'>,
): void {
  const { loaded, allowedTools } = stream.skills
  stream.skills = { loaded: including(loaded, name, MAX_ITEMS), allowedTools }
}

export function checkSkillInvoked(
  context: FrameContext<WithSkills>,
  { name, effective_allowed_tools: tools }: FrameBodyOf<'skill_invoked'>,
): void {
  const { loaded } = context.stream.skills
  if (!loaded.includes(name) && !isFull(loaded) && !context.stream.hasGap) {
    const message = `Expected skill_loaded before skill ${describeValue(name)} is invoked, got none.`
    context.report('skill-order', message, { path: '/name' })
  }
  context.stream.skills = { loaded, allowedTools: tools === undefined ? null : storable(tools) }
}

/** Checks that the invoked skill allows a tool. */
export function checkAllowedTool(context: FrameContext<WithSkills>, name: string): void {
  const { allowedTools } = context.stream.skills
  if (allowedTools === null || allowedTools.includes(name)) return
  const expected = `one of the tools the skill allows (${allowedTools.join(', ')})`
  reportUnexpected(context, 'skill-order', '/name', expected, name, { expected: allowedTools })
}
