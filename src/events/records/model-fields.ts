/** Zod building blocks for the metadata of model calls. */
import * as z from 'zod/mini'
import { type Schema, schemaOf } from '../../core/schema.ts'
import type { CitedSource } from '../source.ts'
import type { Usage } from '../usage.ts'
import { count, maybe, metadata } from './fields.ts'

export const usage: Schema<Usage> = schemaOf<Usage>()(
  metadata({
    provider: maybe(z.string()),
    model: maybe(z.string()),
    inputTokens: maybe(count),
    outputTokens: maybe(count),
    totalTokens: maybe(count),
    reasoningTokens: maybe(count),
    cachedInputTokens: maybe(count),
    cacheWriteInputTokens: maybe(count),
  }),
)

export const source: Schema<CitedSource> = schemaOf<CitedSource>()(
  metadata({
    url: maybe(z.string()),
    title: maybe(z.string()),
    documentId: maybe(z.string()),
    start: maybe(count),
    end: maybe(count),
    quote: maybe(z.string()),
  }),
)
