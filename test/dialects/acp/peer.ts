/** What a client of ACP makes of the updates of a prompt: the schemas of its SDK, and its messages. */
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { AcpOutput } from 'turnstream/acp'
import { AcpUpdates } from '../../../src/acp/read-updates.ts'
import type { Diagnostic } from '../../../src/core/machine.ts'
import type { EventDraft } from '../../../src/index.ts'
import type { PeerPage } from '../formats.ts'

const schema = JSON.parse(
  readFileSync('node_modules/@agentclientprotocol/sdk/schema/v1/schema.json', 'utf8'),
) as { readonly $defs: object }
const ajv = new Ajv2020({ strict: false, validateFormats: false, code: { optimize: false } })
ajv.addSchema(schema, 'acp')
const validators = {
  update: ajv.getSchema('acp#/$defs/SessionUpdate'),
  result: ajv.getSchema('acp#/$defs/PromptResponse'),
}

/** What does not fit the schemas of the SDK, and what follows the response. */
function errorsOf(outputs: readonly AcpOutput[]): unknown[] {
  const end = outputs.findIndex((output) => !('update' in output))
  const late = end < 0 ? [] : outputs.slice(end + 1)
  const unfit = outputs.flatMap((output) => {
    const [[type, value] = []] = Object.entries(output)
    const validate = validators[type as keyof typeof validators]
    return validate === undefined || validate(value) ? [] : [{ value, errors: validate.errors }]
  })
  return [...unfit, ...late]
}

/** The page of a client, which has its messages by their ids, and its calls. */
export function acpPageOf(outputs: readonly AcpOutput[]): PeerPage {
  const messages = new Map<string, string>()
  const calls = new Map<string, string>()
  for (const output of outputs) {
    if (!('update' in output)) continue
    const { update } = output
    if ('messageId' in update && update.content.type === 'text') {
      const { messageId = '', content } = update
      messages.set(messageId, (messages.get(messageId) ?? '') + content.text)
    } else if ('toolCallId' in update && update.rawInput !== undefined)
      calls.set(update.toolCallId, JSON.stringify(update.rawInput))
  }
  return { errors: errorsOf(outputs), texts: [...messages.values(), ...calls.values()] }
}

/** A machine that reads outputs as `acpAgent` does. Its state is that of a class: it is not plain. */
export function acpReader(toEvent: (draft: EventDraft) => unknown): unknown {
  const reported: Diagnostic[] = []
  const updates = new AcpUpdates((diagnostic) => reported.push(diagnostic), undefined)
  const stepOf = (drafts: readonly EventDraft[]) => {
    return { state: null, out: drafts.map(toEvent), diagnostics: reported.splice(0) }
  }
  return {
    initial: null,
    step: (_: null, output: AcpOutput) =>
      stepOf('update' in output ? updates.read(output.update as never) : []),
    end: () => stepOf(updates.end()),
  }
}
