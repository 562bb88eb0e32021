/** Reading a live stream of any format: its messages, over as many connections as it takes. */

export { openBody } from './first-bytes.ts'
export { isEventOfLog } from './log-stream.ts'
export { type Connector, givenUp, Reconnects } from './reconnect.ts'
export { excerptOf, messageOf, responseFault, STREAM_TYPES, unexpectedStatus } from './response.ts'
export { SseMessages } from './sse-messages.ts'
