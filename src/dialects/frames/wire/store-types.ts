/** Frames that are new in version 2: of artifacts kept outside of the log, and of skills. */

/**
 * An artifact was stored outside of the log. May come in any stream.
 *
 * @see docs/spec/event-frames.md#artifact-backed-outputs
 */
export interface ArtifactWrittenFrame {
  type: 'artifact_written'
  /** Names the artifact. */
  artifact_id: string
  /** What it is, such as a log. */
  kind: string
  /** Its size, in bytes. */
  bytes: number
  /** What it holds: a hash as `algorithm:hex`. */
  digest: string
  /** How it begins. Absent: not told. */
  preview?: string
}

/**
 * The skills that can be loaded are others than before.
 *
 * @see docs/spec/event-frames.md#skills
 */
export interface SkillCatalogUpdatedFrame {
  type: 'skill_catalog_updated'
  /** How many there are. */
  count: number
  /** The folders they were found in. */
  roots: string[]
  /** Names that were found more than once, in a form of the runtime's own. Absent: not told. */
  collisions?: unknown
}

/**
 * A skill was loaded.
 *
 * @see docs/spec/event-frames.md#skills
 */
export interface SkillLoadedFrame {
  type: 'skill_loaded'
  /** The skill. */
  name: string
  /** Where it was found. */
  path: string
  /** What it holds: a hash. */
  digest: string
  /** The head of its file. Values are trusted to be JSON and never walked. */
  frontmatter: Record<string, unknown>
  /** What is odd about it. Absent: nothing. */
  warnings?: string[]
}

/**
 * A skill is used.
 *
 * @see docs/spec/event-frames.md#skills
 */
export interface SkillInvokedFrame {
  type: 'skill_invoked'
  /** The skill. */
  name: string
  /** What it is given, in a form of its own. Absent: nothing. */
  args?: unknown
  /** Whether a person or the agent chose it. */
  mode: 'manual' | 'auto'
  /** The tools that may be used from here on. Absent: no limit. */
  effective_allowed_tools?: string[]
}

/**
 * Something is odd about a skill, or about the catalog.
 *
 * @see docs/spec/event-frames.md#skills
 */
export interface SkillWarningFrame {
  type: 'skill_warning'
  /** The skill. Absent: it is about none in particular. */
  name?: string
  /** What kind of oddity. */
  kind: string
  /** What is odd, for people. */
  detail: string
}
