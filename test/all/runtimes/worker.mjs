/** Runs the checks in a worker, and answers a request with the verdict. */
import * as core from 'agentwire'
import * as sse from 'agentwire/sse'
import * as thoughts from 'agentwire/thoughts'
import * as zod from 'agentwire/zod'
import { check } from './checks.mjs'

export default {
  async fetch() {
    const verdict = await check({ core, sse, thoughts, zod })
    return Response.json({ runtime: navigator.userAgent, ...verdict })
  },
}
