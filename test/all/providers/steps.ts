/**
 * Recorded streams of models, read by the SDKs' own helpers and by the readers of the library. `RECORDINGS` names a folder
 * with the streams, in any folders. Prints the rows of the table in `docs/reference/providers.md`.
 */
import { AssertionError, deepStrictEqual } from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import type { ModelTurn } from 'turnstream/providers'
import { cutInto } from '../../../examples/recording.ts'
import { type ReadStream, readStream, taskOf, violationsOf } from '../../support/providers/agent-loop.ts'
import { lostLeaves } from '../../support/providers/census.ts'
import { modelServer } from '../../support/providers/model-server.ts'
import { bodyOf, readBody } from '../../support/providers/read-body.ts'
import { Skipped, type Step } from '../step.ts'
import type { Answer } from './helper.ts'
import { helpers } from './helpers.ts'
import { type Recording, readerFor, recordingsIn } from './recordings.ts'

export const providerSteps: readonly Step[] = [
  { name: 'providers: recordings are read as by the helpers of the SDKs', run: compare },
  { name: 'providers: no leaf of recordings is lost', run: census },
]

/** The recordings in the folder that `RECORDINGS` names. */
function recordings(): readonly Recording[] {
  const folder = process.env.RECORDINGS
  if (folder === undefined || !existsSync(folder)) {
    throw new Skipped('RECORDINGS names no folder with recorded streams of models.')
  }
  return recordingsIn(folder)
}

/** Vendors' own hosts, by the folder of a recording. */
const ownHost =
  /^(api\.(openai|anthropic|cohere|mistral|deepseek|groq|perplexity)\.(com|ai)|api\.x\.ai|(generativelanguage|.*aiplatform)\.googleapis\.com|bedrock-runtime\..*)\//

/** Whether a recording is of OpenRouter, whichever host its folder names: its chunks state who has answered. */
const isRouted = ({ chunks }: Recording): boolean =>
  chunks.some(
    (chunk) => typeof chunk === 'object' && chunk !== null && 'native_finish_reason' in firstChoice(chunk),
  )

/**
 * Every leaf reaches a draft, the turn or a diagnostic, or is in the list of the docs. Names the recordings that have diagnostics: none
 * of a vendor's own host, and at most one in a hundred of others.
 */
async function census(): Promise<string> {
  const lost: string[] = []
  const reported: string[] = []
  const own: string[] = []
  const all = recordings()
  for (const recording of all) {
    const { name, provider, chunks } = recording
    const leaves = lostLeaves(provider, () => readerFor(recording), chunks)
    if (leaves.length > 0) lost.push(`${name}: ${leaves.join(', ')}`)
    const { diagnostics } = readStream(readerFor(recording), chunks)
    if (diagnostics.length === 0) continue
    reported.push(`${name}: ${diagnostics.map(({ code }) => code).join(', ')}`)
    if (ownHost.test(name) && !isRouted(recording)) own.push(name)
  }
  if (lost.length > 0) throw new Error(lost.join('\n'))
  deepStrictEqual(own, [], "recordings of vendors' own hosts with diagnostics")
  if (reported.length > all.length / 100)
    throw new Error(`More than 1 % have diagnostics:\n${reported.join('\n')}`)
  return [`${all.length} recordings, ${reported.length} with diagnostics`, ...reported].join('\n')
}

function firstChoice(chunk: object): object {
  const [choice] = (chunk as { choices?: object[] }).choices ?? []
  return choice ?? {}
}

interface Row {
  readonly name: string
  files: number
  read: number
  equal: number
}

async function compare(): Promise<string> {
  const rows = new Map<string, Row>()
  const notes: string[] = []
  const unequal: string[] = []
  for (const recording of recordings()) {
    const { provider, name } = recording
    const helper = helpers[provider]
    const row = rows.get(provider) ?? { name: helper?.name ?? provider, files: 0, read: 0, equal: 0 }
    rows.set(provider, row)
    row.files++
    const own = readStream(readerFor(recording), recording.chunks)
    deepStrictEqual(violationsOf(taskOf(own)), [], name)
    checkCuts(recording, own)
    if (helper === undefined) continue

    const server = await modelServer([{ body: await helper.bodyOf(recording.chunks) }])
    try {
      const { answer, chunks } = await helper.read(server.url)
      row.read++
      if (chunks !== undefined) {
        deepStrictEqual(
          readStream(readerFor(recording), chunks).turn,
          own.turn,
          `objects of the SDK: ${name}`,
        )
      }
      const fields = differences(answer, own.turn)
      if (fields.length === 0) row.equal++
      for (const field of fields) notes.push(`${name}: ${reasonOf(field, own.turn, answer, recording)}`)
    } catch (error) {
      if (error instanceof AssertionError || error instanceof Skipped) throw error
      if (error instanceof Unequal) unequal.push(`${name}: ${error.message}`)
      else notes.push(`${name}: the helper throws, ${String(error).slice(0, 100)}`)
    } finally {
      server.close()
    }
  }
  const table = [...rows.values()].map(({ name, files, read, equal }) => {
    return `| ${name} | ${files} | ${read} | ${equal} | ${files} |`
  })
  if (unequal.length > 0) throw new Error(unequal.join('\n'))
  return ['', ...table, ...notes, ''].join('\n')
}

/** Any cut of the body, and a state that is not sent through JSON, give the same. */
function checkCuts(recording: Recording, { drafts, turn }: ReadStream): void {
  const body = bodyOf(recording.chunks)
  for (const sizes of [[body.length], [1], [7], [64, 3], [4096, 1, 1000]]) {
    const read = readBody(readerFor(recording), [...cutInto(body, sizes)])
    deepStrictEqual(read, { drafts, turn }, `${recording.name} in pieces of ${sizes}`)
  }
}

/** The fields of the answer that the turn has otherwise. */
function differences(answer: Answer, turn: ModelTurn): (keyof Answer)[] {
  const own: Required<Answer> = {
    text: turn.text,
    thoughts: turn.thoughts.map(({ text }) => text).join(''),
    signatures: turn.thoughts.flatMap(({ signature }) => signature ?? []),
    calls: turn.calls.map(({ toolCallId, toolName, arguments: args }, at) => {
      return [answer.calls[at]?.[0] === undefined ? undefined : toolCallId, toolName, args]
    }),
    finishReason: turn.finishReason,
    inputTokens: turn.usage?.inputTokens,
    outputTokens: turn.usage?.outputTokens,
  }
  return (Object.keys(answer) as (keyof Answer)[]).filter(
    (field) => !isDeepStrictEqual(plain(own[field]), plain(answer[field])),
  )
}

/** Why the helper reads a field otherwise. Throws if there is no reason. */
function reasonOf(
  field: keyof Answer,
  { calls, thoughts, usage }: ModelTurn,
  answer: Answer,
  { chunks }: Recording,
): string {
  if (
    field === 'signatures' &&
    thoughts.every(({ signature = '' }) => JSON.stringify(chunks).includes(signature))
  ) {
    return 'the helper has the signatures of the response, which are others than those of its items'
  }
  if (field === 'calls' && calls.some(({ status }) => status === 'incomplete')) {
    return 'the helper completes a call that was cut off'
  }
  if (field === 'calls' && calls.every((call, at) => isUnrepeated(call, answer.calls[at]?.[2]))) {
    return 'the helper reads no arguments, as the end of the call does not repeat those of its deltas'
  }
  if (field === 'calls' && answer.calls.length === 0 && isLeftOut(calls, chunks)) {
    return 'the helper reads no calls of tools of the API, and none without an index'
  }
  if (field === 'text' && answer.text === '' && JSON.stringify(chunks).includes('"message":{')) {
    return 'the helper has the message beside the deltas, and not what they add up to'
  }
  if (field === 'text' && answer.text.includes('[object Object]')) {
    return 'the helper does not read content in parts'
  }
  const { inputTokens = 0, totalTokens = 0, reasoningTokens = 0 } = usage ?? {}
  if (
    field === 'outputTokens' &&
    (answer.outputTokens ?? 0) + reasoningTokens === totalTokens - inputTokens
  ) {
    return 'the helper leaves out the tokens of the reasoning, which are counted apart'
  }
  if (
    field === 'inputTokens' &&
    (answer.inputTokens ?? 0) + (usage?.cachedInputTokens ?? 0) === inputTokens
  ) {
    return 'the helper leaves out the tokens of the cache, which are counted apart'
  }
  if (field.endsWith('Tokens') && JSON.stringify(chunks).includes('"type":"compaction"')) {
    return 'the helper leaves out the tokens of the compaction'
  }
  throw new Unequal(`The helper reads ${field} otherwise: ${JSON.stringify(answer[field]).slice(0, 200)}.`)
}

/** Whether a helper has no arguments for a call of which deltas have been read. */
function isUnrepeated({ status, text }: ModelTurn['calls'][number], args: unknown): boolean {
  return status === 'complete' && text !== '' && isDeepStrictEqual(args, {})
}

/** Whether a helper has no calls of these: those of tools of the API, or those of which no piece has an index. */
function isLeftOut(calls: ModelTurn['calls'], chunks: readonly unknown[]): boolean {
  const isOfApi = calls.every(({ toolName }) => ['tool_search', 'local_shell'].includes(toolName))
  return isOfApi || !/"tool_calls":\[\{[^[]*"index":/.test(JSON.stringify(chunks))
}

/** The helper and the library differ. */
class Unequal extends Error {}

const plain = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value))
