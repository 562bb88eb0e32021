/** The table of all rules, as data. {@link verifier} checks them. */

import { type Rule, type Rules, rulesOf } from '../../../rules/rule.ts'
import type { EventRuleName } from '../rule-names.ts'
import { afterEndRules } from './after-end.ts'
import { artifactRules } from './artifact/artifact.ts'
import { chunkRules } from './artifact/artifact-chunk.ts'
import { eventLevelRules } from './event.ts'
import { iterationRules } from './iteration.ts'
import { authRules } from './request/auth.ts'
import { inputRules } from './request/input.ts'
import { requestRules } from './request/request.ts'
import { waitingRules } from './request/waiting.ts'
import { seriesRules } from './series.ts'
import { lineageRules } from './task/lineage.ts'
import { subtaskRules } from './task/subtask.ts'
import { taskRules } from './task/task.ts'
import { taskEndRules } from './task/task-end.ts'
import { taskErrorRules } from './task/task-error.ts'
import { taskStartRules } from './task/task-start.ts'
import { contentRules } from './text/content.ts'
import { thoughtRules } from './text/thought.ts'
import { timeRules } from './time.ts'
import { toolRules } from './tool/tool.ts'
import { toolArgumentsRules } from './tool/tool-arguments.ts'

/** The rules by name. */
export const ruleMeta: Rules<EventRuleName> = {
  ...eventLevelRules,
  ...timeRules,
  ...taskStartRules,
  ...taskRules,
  ...afterEndRules,
  ...lineageRules,
  ...subtaskRules,
  ...taskEndRules,
  ...waitingRules,
  ...iterationRules,
  ...taskErrorRules,
  ...seriesRules,
  ...contentRules,
  ...thoughtRules,
  ...toolRules,
  ...toolArgumentsRules,
  ...inputRules,
  ...authRules,
  ...requestRules,
  ...artifactRules,
  ...chunkRules,
}

/** All rules, including those no verifier can check, in the order of their ids. */
export const eventRules: readonly Rule<EventRuleName>[] = rulesOf(ruleMeta)
