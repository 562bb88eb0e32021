/** Frame types that version 2 adds: artifacts stored outside of the log, and skills. */

/** An artifact was stored outside of the log. Allowed in any stream. */
export interface ArtifactWrittenFrame {
  type: 'artifact_written'
  /** The id of the artifact. */
  artifact_id: string
  /** The kind of artifact, such as a log. */
  kind: string
  /** Size in bytes. */
  bytes: number
  /** Hash of the content, as `algorithm:hex`. */
  digest: string
  /** The beginning of the content. Omitted if unknown. */
  preview?: string
}

/** The set of available skills changed. */
export interface SkillCatalogUpdatedFrame {
  type: 'skill_catalog_updated'
  /** Number of skills. */
  count: number
  /** The folders with skills. */
  roots: string[]
  /** Duplicate names, in a runtime-specific form. Omitted if unknown. */
  collisions?: unknown
}

/** A skill was loaded. */
export interface SkillLoadedFrame {
  type: 'skill_loaded'
  /** The name of the skill. */
  name: string
  /** The path of its file. */
  path: string
  /** Hash of its content. */
  digest: string
  /** The front matter of its file: JSON, not validated further. */
  frontmatter: Record<string, unknown>
  /** Warnings about the skill. Omitted if there are none. */
  warnings?: string[]
}

/** A skill was invoked. */
export interface SkillInvokedFrame {
  type: 'skill_invoked'
  /** The name of the skill. */
  name: string
  /** The arguments, in a skill-specific form. Omitted if there are none. */
  args?: unknown
  /** `manual`: a person chose the skill. `auto`: the agent did. */
  mode: 'manual' | 'auto'
  /** The tools allowed from here on. Omitted: all tools. */
  effective_allowed_tools?: string[]
}

/** A warning about a skill or the catalog. */
export interface SkillWarningFrame {
  type: 'skill_warning'
  /** The name of the skill. Omitted if the warning is about the catalog. */
  name?: string
  /** The kind of warning. */
  kind: string
  /** Human-readable description. */
  detail: string
}
