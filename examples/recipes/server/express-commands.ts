import express, { type Express } from 'express'
import type { Ledger } from 'turnstream/commands'

/** Serves `POST /streams/<id>/commands`. */
export function commandsApp(find: (id: string) => Ledger | undefined): Express {
  const app = express()
  app.post('/streams/:id/commands', express.json(), async (request, response) => {
    const ledger = find(request.params.id ?? '')
    if (ledger === undefined) {
      response.sendStatus(404)
      return
    }
    response.json(await ledger.submit(request.body, { role: 'user', id: 'user-1' })) // The user you have authenticated.
  })
  return app
}
