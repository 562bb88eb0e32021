import OpenAI from 'openai'
import { agentLoop, chatFormat } from 'turnstream/agents'
import { type Agent, agentHandler, memoryStore } from 'turnstream/server'
import { needsApproval, toolList, tools, userOf } from './shop.ts'

const openai = new OpenAI()
export const agent: Agent = (task) =>
  agentLoop(task, {
    format: chatFormat,
    tools,
    model: (messages, signal) =>
      openai.chat.completions.create({ model: 'gpt-5', messages, tools: toolList, stream: true }, { signal }),
  })
const store = memoryStore({ needsApproval })
export const handler: (request: Request) => Promise<Response> = agentHandler({ store, user: userOf, agent })
