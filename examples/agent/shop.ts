/** What is the application's own: who is signed in, and its tool. */
import type OpenAI from 'openai'

/** The user of a request: by a cookie, which a real application signs. */
export function userOf(request: Request): string | undefined {
  return /(?:^|; )user=(\w+)/.exec(request.headers.get('cookie') ?? '')?.[1]
}

export const tools: { pay(args: { amount: number }): Promise<{ paid: number }> } = {
  pay: async ({ amount }) => ({ paid: amount }),
}

export const needsApproval = ({ toolName }: { toolName: string }): boolean => toolName === 'pay'

const parameters = {
  type: 'object',
  properties: { amount: { type: 'number' } },
  required: ['amount'],
  additionalProperties: false,
}

export const toolList: OpenAI.ChatCompletionTool[] = [
  { type: 'function', function: { name: 'pay', description: 'Pays an amount in euros.', parameters } },
]
