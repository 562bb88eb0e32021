/** The table of all rules, as data. {@link verifier} checks them. */

import type { RuleMeta } from '../rule.ts'
import type { EventRuleName } from '../rule-names.ts'
import { afterEndRules } from './after-end.ts'
import { loopRules } from './agent-loop.ts'
import { artifactRules } from './artifact.ts'
import { chunkRules } from './artifact-chunk.ts'
import { authRules } from './auth.ts'
import { contentRules } from './content.ts'
import { eventLevelRules } from './event.ts'
import { inputRules } from './input.ts'
import { lineageRules } from './lineage.ts'
import { requestRules } from './request.ts'
import { seriesRules } from './series.ts'
import { subtaskRules } from './subtask.ts'
import { taskRules } from './task.ts'
import { taskEndRules } from './task-end.ts'
import { taskErrorRules } from './task-error.ts'
import { taskStartRules } from './task-start.ts'
import { thoughtRules } from './thought.ts'
import { timeRules } from './time.ts'
import { toolRules } from './tool.ts'
import { toolArgumentsRules } from './tool-arguments.ts'
import { waitingRules } from './waiting.ts'

/** A rule that legal streams follow. */
export interface EventRule extends RuleMeta {
  /** Stable, for programs. */
  readonly rule: EventRuleName
}

/** The rules by name. */
export const ruleMeta: Readonly<Record<EventRuleName, RuleMeta>> = {
  ...eventLevelRules,
  ...timeRules,
  ...taskStartRules,
  ...taskRules,
  ...afterEndRules,
  ...lineageRules,
  ...subtaskRules,
  ...taskEndRules,
  ...waitingRules,
  ...loopRules,
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
export const eventRules: readonly EventRule[] = (Object.keys(ruleMeta) as EventRuleName[])
  .map((rule) => ({ rule, ...ruleMeta[rule] }))
  .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
