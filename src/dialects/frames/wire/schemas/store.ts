/** Frame types that version 2 adds: artifacts stored outside of the log, and skills. */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../../../core/schema.ts'
import { anyObject, count, id, maybe, open } from '../../../../events/records/fields.ts'
import type { StoreFrame } from '../types.generated.ts'
import { text, texts } from './envelope.ts'

/** An artifact was stored outside of the log. Allowed in any stream. */
const artifactWrittenFrame = open({
  type: z.literal('artifact_written'),
  /** The id of the artifact. */
  artifact_id: id,
  /** The kind of artifact, such as a log. */
  kind: text,
  /** Size in bytes. */
  bytes: count,
  /** Hash of the content, as `algorithm:hex`. */
  digest: text,
  /** The beginning of the content. Omitted if unknown. */
  preview: maybe(text),
})

/** The set of available skills changed. */
const skillCatalogUpdatedFrame = open({
  type: z.literal('skill_catalog_updated'),
  /** Number of skills. */
  count,
  /** The folders with skills. */
  roots: texts,
  /** Duplicate names, in a runtime-specific form. Omitted if unknown. */
  collisions: maybe(z.unknown()),
})

/** A skill was loaded. */
const skillLoadedFrame = open({
  type: z.literal('skill_loaded'),
  /** The name of the skill. */
  name: id,
  /** The path of its file. */
  path: text,
  /** Hash of its content. */
  digest: text,
  /** The front matter of its file: JSON, not validated further. */
  frontmatter: anyObject,
  /** Warnings about the skill. Omitted if there are none. */
  warnings: maybe(texts),
})

/** A skill was invoked. */
const skillInvokedFrame = open({
  type: z.literal('skill_invoked'),
  /** The name of the skill. */
  name: id,
  /** The arguments, in a skill-specific form. Omitted if there are none. */
  args: maybe(z.unknown()),
  /** `manual`: a person chose the skill. `auto`: the agent did. */
  mode: z.enum(['manual', 'auto']),
  /** The tools allowed from here on. Omitted: all tools. */
  effective_allowed_tools: maybe(texts),
})

/** A warning about a skill or the catalog. */
const skillWarningFrame = open({
  type: z.literal('skill_warning'),
  /** The name of the skill. Omitted if the warning is about the catalog. */
  name: maybe(id),
  /** The kind of warning. */
  kind: text,
  /** Human-readable description. */
  detail: text,
})

/** Any frame that version 2 adds. */
export const storeFrame: Schema<StoreFrame> = schemaOf<StoreFrame>()(
  z.discriminatedUnion('type', [
    artifactWrittenFrame,
    skillCatalogUpdatedFrame,
    skillLoadedFrame,
    skillInvokedFrame,
    skillWarningFrame,
  ]),
)
