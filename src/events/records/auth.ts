/** The kinds about authentication: schemas, and how the library handles them. */
import * as z from 'zod/mini'
import { schemaOf } from '../../core/schema.ts'
import type { AuthCompletedEvent, AuthFailedEvent, AuthRequiredEvent } from '../auth.ts'
import { id, maybe, metadata, open, timestamp } from './fields.ts'
import type { KindRecords } from './kind-record.ts'

export const authKinds: KindRecords<AuthRequiredEvent | AuthCompletedEvent | AuthFailedEvent> = {
  'auth-required': {
    schema: schemaOf<AuthRequiredEvent>()(
      open({
        kind: z.literal('auth-required'),
        authId: id,
        authType: z.enum(['oauth2', 'api-key', 'password', 'biometric', 'custom']),
        provider: maybe(z.string()),
        scopes: maybe(z.array(z.string())),
        prompt: z.string(),
        authUrl: maybe(z.string()),
        timestamp,
        metadata: maybe(metadata({ expiresIn: maybe(z.number().check(z.minimum(0))) })),
      }),
    ),
    backpressure: null,
    redaction: { removed: { '/authUrl': ['coordinator', 'parent', 'observer'] } },
  },
  'auth-completed': {
    schema: schemaOf<AuthCompletedEvent>()(
      open({
        kind: z.literal('auth-completed'),
        authId: id,
        userId: id,
        timestamp,
        metadata: maybe(metadata({ expiresAt: maybe(timestamp) })),
      }),
    ),
    backpressure: null,
    redaction: { hidden: ['observer'] },
  },
  'auth-failed': {
    schema: schemaOf<AuthFailedEvent>()(
      open({
        kind: z.literal('auth-failed'),
        authId: id,
        reason: z.enum(['denied', 'expired', 'failed']),
        message: maybe(z.string()),
        timestamp,
      }),
    ),
    backpressure: null,
    redaction: null,
  },
}
