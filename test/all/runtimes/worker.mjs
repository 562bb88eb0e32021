/** Runs the checks in a worker, and answers a request with the verdict. */
import * as core from 'turnstream'
import * as sse from 'turnstream/sse'
import * as thoughts from 'turnstream/thoughts'
import * as zod from 'turnstream/zod'
import { check } from './checks.mjs'

export default {
  async fetch() {
    const verdict = await check({ core, sse, thoughts, zod })
    return Response.json({ runtime: navigator.userAgent, ...verdict })
  },
}
