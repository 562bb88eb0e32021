/**
 * Recorded pairs: the same model streams through servers of AG-UI and of the AI SDK. `PAIRS` names a folder with
 * `ag-ui-recorded/*.sse` and `ai-sdk-recorded/*.sse`; files of the same name are a pair.
 */
import { deepStrictEqual } from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromUiMessageStream } from '../../../src/dialects/ai-sdk/index.ts'
import type { ContextAnyEvent } from '../../../src/index.ts'
import {
  agUiAsMessage,
  aiSdkAsMessage,
  aiSdkThroughAgUi,
  errorsOf,
  type ShownPart,
  through,
  valuesOf,
} from '../../dialects/pairs/pair.ts'
import { Skipped, type Step } from '../step.ts'

export const pairSteps: readonly Step[] = [
  { name: 'pairs: AI SDK recordings are read as legal events', run: async () => readAll() },
  { name: 'pairs: AG-UI → events → AI SDK = the AI SDK recording', run: compareThere },
  { name: 'pairs: AI SDK → events → AG-UI → events → AI SDK', run: compareBack },
]

/** The recordings of a protocol, by file name. */
function recordings(protocol: 'ag-ui' | 'ai-sdk'): Map<string, unknown[]> {
  const folder = join(process.env.PAIRS ?? '', `${protocol}-recorded`)
  if (process.env.PAIRS === undefined || !existsSync(folder)) {
    throw new Skipped('PAIRS names no folder with ag-ui-recorded and ai-sdk-recorded.')
  }
  const files = readdirSync(folder).filter((file) => file.endsWith('.sse'))
  return new Map(files.map((file) => [file, valuesOf(readFileSync(join(folder, file), 'utf8'))]))
}

function readAll(): string {
  const files = recordings('ai-sdk')
  let events = 0
  for (const [file, chunks] of files) {
    const read = through<unknown, ContextAnyEvent>(
      fromUiMessageStream({ now: () => 0, taskId: 't', contextId: 'c' }),
      chunks,
    )
    deepStrictEqual(errorsOf(read), [], file)
    events += read.length
  }
  return `${files.size} files, ${events} events`
}

async function compareThere(): Promise<string> {
  const aiSdk = recordings('ai-sdk')
  const pairs = [...recordings('ag-ui')].filter(([file]) => aiSdk.has(file))
  return compare(
    pairs.map(([file]) => file),
    async (file) => agUiAsMessage(pairs.find(([name]) => name === file)?.[1] ?? []),
    async (file) => aiSdkAsMessage(aiSdk.get(file) ?? []),
  )
}

async function compareBack(): Promise<string> {
  const aiSdk = recordings('ai-sdk')
  return compare(
    [...aiSdk.keys()],
    async (file) => aiSdkThroughAgUi(aiSdk.get(file) ?? []),
    async (file) => aiSdkAsMessage(aiSdk.get(file) ?? []),
  )
}

/**
 * Names the files whose messages differ. Known reasons:
 *
 * - `pydantic-ai.anthropic-cut-arguments`: the server replaces cut-off arguments by `{ "INVALID_JSON": … }`; events keep the text
 * - `ai7.anthropic-cut-arguments`: the AI SDK leaves the cut-off call open at its finish; events end it as failed
 * - `pydantic-ai.openai-responses-image`: the AG-UI recording has no files, and AG-UI has no event for them
 * - `ai7.openai-responses-image`: AG-UI carries no empty text
 * - `ai7.openai-responses-approval`: AG-UI asks at the end of a run, after its calls: the requests are `data-input`
 */
async function compare(
  files: readonly string[],
  actual: (file: string) => Promise<ShownPart[]>,
  expected: (file: string) => Promise<ShownPart[]>,
): Promise<string> {
  const different: string[] = []
  for (const file of files) {
    const [left, right] = [await actual(file), await expected(file)]
    if (JSON.stringify(left) !== JSON.stringify(right)) different.push(file.replace(/\.sse$/, ''))
  }
  const equal = files.length - different.length
  if (equal <= files.length / 2) throw new Error(`Only ${equal} of ${files.length} are equal.`)
  return `${equal} of ${files.length} equal${different.length > 0 ? `, not ${different.join(', ')}` : ''}`
}
