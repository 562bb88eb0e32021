/** The schemas of commands, by kind and as a union. */
import * as z from 'zod/mini'
import type { JsonValue } from '../../core/json-value.ts'
import { type Schema, schemaOf } from '../../core/schema.ts'
import { id, maybe, metadata, open, timestamp } from '../../events/records/fields.ts'
import type { AuthRespondCommand } from '../auth.ts'
import type { Command, CommandKind, CommandOf } from '../command.ts'
import type { InputRespondCommand } from '../input.ts'
import type { StreamResumeCommand } from '../stream.ts'
import type { TaskCancelCommand, TaskSendCommand } from '../task.ts'
import type { ToolResultCommand } from '../tool.ts'

const inputResponse = open({
  inputId: id,
  taskId: maybe(id),
  outcome: maybe(z.enum(['answered', 'declined'])),
  value: maybe(z.unknown()),
  reason: maybe(z.string()),
  callDigest: maybe(id),
})

/** The schema of each kind of command. */
export const commandSchemas: { readonly [K in CommandKind]: Schema<CommandOf<K>> } = {
  'task.send': schemaOf<TaskSendCommand>()(
    open({
      kind: z.literal('task.send'),
      commandId: id,
      contextId: maybe(id),
      taskId: maybe(id),
      input: z.unknown() as z.ZodMiniType<JsonValue>,
      sourceDigest: maybe(id),
      timestamp,
      metadata: maybe(metadata({})),
    }),
  ),
  'task.cancel': schemaOf<TaskCancelCommand>()(
    open({
      kind: z.literal('task.cancel'),
      commandId: id,
      contextId: maybe(id),
      taskId: maybe(id),
      reason: maybe(z.string()),
      timestamp,
    }),
  ),
  'input.respond': schemaOf<InputRespondCommand>()(
    open({
      kind: z.literal('input.respond'),
      commandId: id,
      contextId: maybe(id),
      responses: z.array(inputResponse).check(z.minLength(1)),
      sourceDigest: maybe(id),
      timestamp,
    }),
  ),
  'auth.respond': schemaOf<AuthRespondCommand>()(
    open({
      kind: z.literal('auth.respond'),
      commandId: id,
      contextId: maybe(id),
      taskId: maybe(id),
      authId: id,
      outcome: z.enum(['completed', 'denied', 'failed']),
      claim: maybe(z.unknown()),
      expiresAt: maybe(timestamp),
      message: maybe(z.string()),
      sourceDigest: maybe(id),
      timestamp,
    }),
  ),
  'tool.result': schemaOf<ToolResultCommand>()(
    open({
      kind: z.literal('tool.result'),
      commandId: id,
      contextId: maybe(id),
      taskId: maybe(id),
      toolCallId: id,
      success: z.boolean(),
      result: maybe(z.unknown()),
      error: maybe(z.string()),
      sourceDigest: maybe(id),
      timestamp,
    }),
  ),
  'stream.resume': schemaOf<StreamResumeCommand>()(
    open({
      kind: z.literal('stream.resume'),
      commandId: id,
      contextId: maybe(id),
      taskId: maybe(id),
      lastEventId: maybe(z.string()),
      timestamp,
    }),
  ),
}

/** The schema of any command of this version. */
export const commandSchema: Schema<Command> = z.discriminatedUnion(
  'kind',
  Object.values(commandSchemas) as unknown as [z.core.$ZodTypeDiscriminable],
) as unknown as Schema<Command>

/** The fields of every command of any kind. */
export const commandEnvelopeSchema: z.ZodMiniType<{ kind: string; commandId: string; timestamp: string }> =
  open({ kind: id, commandId: id, timestamp })
