/** The AI SDK over HTTP: the protocol of a handler, and the transport of a page. */
export { type AiSdkOptions, aiSdk } from './ai-sdk.ts'
export { type ChatTransportOptions, chatTransport, type SendRequest } from './chat-transport.ts'
