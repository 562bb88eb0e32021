import express, { type Express } from 'express'
import { agentHandler, toNodeListener } from 'turnstream/server'

/** An agent at `/agent`. */
export function agentApp(options: Parameters<typeof agentHandler>[0]): Express {
  const app = express()
  app.use('/agent', toNodeListener(agentHandler(options)))
  return app
}
