/** The state of {@link frameVerifier}: bounded, whatever the length of the log. */

import type { BoundedMap } from '../../../core/bounded-map/bounded-map.ts'
import type { CommonState, CommonStream } from './context.ts'
import type { WithArtifacts } from './rules/artifact.ts'
import { noCheckpoints, type WithCheckpoints } from './rules/checkpoint.ts'
import type { WithProvider } from './rules/provider.ts'
import { noSkills, type WithSkills } from './rules/skill.ts'
import { newTask, type WithTask } from './rules/task.ts'
import { noTools, type WithTools } from './rules/tool.ts'

export interface FrameVerifierState extends CommonState, WithArtifacts {
  readonly streams: BoundedMap<VerifiedStream>
}

/** What the rules need to know of one stream. */
export interface VerifiedStream
  extends CommonStream,
    WithTools,
    WithCheckpoints,
    WithProvider,
    WithTask,
    WithSkills {}

/** The state of a stream before its first frame. */
export function newStream(kind: VerifiedStream['kind'], nextSeq: number): VerifiedStream {
  return {
    kind,
    phase: 'open',
    nextSeq,
    hasGap: nextSeq > 0,
    ids: [],
    time: 0,
    tools: noTools,
    checkpoints: noCheckpoints,
    providerSequence: null,
    task: newTask,
    skills: noSkills,
  }
}

/** A copy of a stream. Written out: spreading is slow. */
export function copyStream(stream: VerifiedStream): VerifiedStream {
  return {
    kind: stream.kind,
    phase: stream.phase,
    nextSeq: stream.nextSeq,
    hasGap: stream.hasGap,
    ids: stream.ids,
    time: stream.time,
    tools: stream.tools,
    checkpoints: stream.checkpoints,
    providerSequence: stream.providerSequence,
    task: stream.task,
    skills: stream.skills,
  }
}
