import express, { type Express } from 'express'
import type { Stream } from 'turnstream/server'

/** Serves `POST /streams/<id>/commands`. */
export function commandsApp(find: (id: string) => Stream | undefined): Express {
  const app = express()
  // JSON, and of this site only: a page or form of another one posts with the cookies of the user, too.
  app.post('/streams/:id/commands', express.json(), async (request, response) => {
    const site = request.get('sec-fetch-site') ?? 'none'
    if (site !== 'none' && site !== 'same-origin') return void response.sendStatus(403)
    const stream = find(request.params.id ?? '')
    if (stream === undefined) {
      response.sendStatus(404)
      return
    }
    response.json(await stream.submit(request.body, { role: 'user', id: 'user-1' })) // The user you have authenticated.
  })
  return app
}
