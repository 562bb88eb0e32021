import express, { type Express } from 'express'
import type { Stream } from 'turnstream/server'
import { isOwnSite } from '../own-site.ts'

/** Serves `POST /streams/<id>/commands`. */
export function commandsApp(find: (id: string) => Stream | undefined): Express {
  const app = express()
  app.post('/streams/:id/commands', express.json(), async (request, response) => {
    if (!isOwnSite(request.get('sec-fetch-site'))) return void response.sendStatus(403)
    const stream = find(request.params.id ?? '')
    if (stream === undefined) {
      response.sendStatus(404)
      return
    }
    response.json(await stream.submit(request.body, { role: 'user', id: 'user-1' })) // The user you have authenticated.
  })
  return app
}
