/** This implementation, as an adapter of the conformance runner: a suite and an input in, an output out. */
import { core } from './core.ts'
import { dialects } from './dialects.ts'
import { streams } from './streams.ts'
import type { Handlers } from './support.ts'
import { texts } from './texts.ts'

export const handlers: Handlers = { ...core, ...streams, ...texts, ...dialects }
