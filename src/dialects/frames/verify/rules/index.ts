/** All rules, and the dispatch of frame bodies to their checks. */

import { type Rule, type Rules, rulesOf } from '../../../../rules/rule.ts'
import type { FrameV2Body } from '../../wire/types.ts'
import type { FrameContext } from '../context.ts'
import type { FrameRuleName } from '../rule-names.ts'
import { artifactRules } from './artifact.ts'
import { checkCheckpointCreated, checkpointRules, checkRewind } from './checkpoint.ts'
import { envelopeRules } from './envelope.ts'
import { lifecycleRules } from './lifecycle.ts'
import { positionRules } from './position.ts'
import { checkProviderEvent, providerRules, type WithProvider } from './provider.ts'
import { checkSkillInvoked, checkSkillLoaded, skillRules } from './skill.ts'
import { taskRules } from './task.ts'
import { checkToolFrame, checkToolStarted, type ToolContext, toolRules } from './tool.ts'

export const frameRuleMeta: Rules<FrameRuleName> = {
  ...envelopeRules,
  ...positionRules,
  ...lifecycleRules,
  ...toolRules,
  ...providerRules,
  ...checkpointRules,
  ...taskRules,
  ...artifactRules,
  ...skillRules,
}

/** The rules of {@link frameVerifier}, in the order of their ids. “(warn)” marks cases that are only a warning. */
export const frameRules: readonly Rule<FrameRuleName>[] = rulesOf(frameRuleMeta)

/** Checks the body of a frame, but for those of background tools. */
export function checkBody(
  context: ToolContext & FrameContext<WithProvider>,
  frame: FrameV2Body,
  timestamp: number,
): void {
  switch (frame.type) {
    case 'tool_started':
      checkToolStarted(context, frame)
      break
    case 'tool_stdout':
    case 'tool_stderr':
    case 'tool_ended':
    case 'tool_failed':
      checkToolFrame(context, frame)
      break
    case 'provider_event':
      checkProviderEvent(context, frame)
      break
    case 'checkpoint_created':
      checkCheckpointCreated(context, frame, timestamp)
      break
    case 'checkpoint_rewound':
      checkRewind(context, frame)
      break
    case 'skill_loaded':
      checkSkillLoaded(context, frame)
      break
    case 'skill_invoked':
      checkSkillInvoked(context, frame)
      break
    default:
  }
}
