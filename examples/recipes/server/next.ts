import type { Stream } from 'turnstream/streams'
import { respondTo } from './fetch.ts'

/** The `GET` of `app/streams/[id]/route.ts`, as in `export const GET = streamsRoute(find)`. */
export const streamsRoute =
  (find: (id: string) => Stream | undefined) =>
  async (request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> =>
    respondTo(request, find((await params).id))
