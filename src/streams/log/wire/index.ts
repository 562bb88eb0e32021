/** Batches and resets as Server-Sent Events. */

export { batchDecoder } from './batch-decoder.ts'
export { encodeBatch } from './encode-batch.ts'
