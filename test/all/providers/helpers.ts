/** The helpers by the names of `readers`. Those that are not here have none. */
import { anthropic } from './anthropic.ts'
import { bedrock } from './bedrock.ts'
import { gemini, interactions } from './gemini.ts'
import type { Helper } from './helper.ts'
import { openai, responses } from './openai.ts'

export const helpers: Readonly<Record<string, Helper>> = {
  anthropic,
  bedrock,
  gemini,
  interactions,
  openai,
  responses,
}
