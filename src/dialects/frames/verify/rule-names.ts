/** The names of all rules, by the file of `rules/` that checks them. */

/** The name of a rule in {@link frameRules}. */
export type FrameRuleName =
  | EnvelopeRuleName
  | PositionRuleName
  | LifecycleRuleName
  | ToolRuleName
  | ProviderRuleName
  | CheckpointRuleName
  | TaskRuleName
  | ArtifactRuleName
  | SkillRuleName

export type EnvelopeRuleName =
  | 'envelope'
  | 'uuid'
  | 'safe-integer'
  | 'stream-alias'
  | 'version-round-trip'
  | 'open-world'

export type PositionRuleName = 'sequence' | 'unique-id' | 'time-order'

export type LifecycleRuleName = 'session-lifecycle' | 'task-without-session'

export type ToolRuleName = 'tool-lifecycle' | 'tool-timing'

export type ProviderRuleName = 'provider-events'

export type CheckpointRuleName = 'checkpoint-before-tool' | 'known-checkpoint'

export type TaskRuleName = 'task-lifecycle' | 'execution-mode' | 'task-id'

export type ArtifactRuleName = 'artifact-identity'

export type SkillRuleName = 'skill-order'
