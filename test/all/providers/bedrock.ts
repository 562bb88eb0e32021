/** The SDK of Amazon yields the events of ConverseStream, and joins none. */
import { type Helper, installed, parsed, type Untyped } from './helper.ts'

export const bedrock: Helper = {
  name: 'ConverseStream, `@aws-sdk/client-bedrock-runtime`',
  async bodyOf(chunks) {
    const { EventStreamCodec } = await installed('@smithy/core/event-streams')
    const [decode, encode] = [new TextDecoder(), new TextEncoder()]
    const codec = new EventStreamCodec(
      (bytes: Uint8Array) => decode.decode(bytes),
      (text: string) => encode.encode(text),
    )
    const header = (value: string): object => ({ type: 'string', value })
    const messages = chunks.map((chunk) => {
      const [type, payload] = Object.entries(chunk as object)[0] as [string, unknown]
      const headers = {
        ':event-type': header(type),
        ':content-type': header('application/json'),
        ':message-type': header('event'),
      }
      return codec.encode({ headers, body: encode.encode(JSON.stringify(payload)) }) as Uint8Array
    })
    return Buffer.concat(messages)
  },
  async read(url) {
    const { BedrockRuntimeClient, ConverseStreamCommand } = await installed('@aws-sdk/client-bedrock-runtime')
    const { NodeHttpHandler } = await installed('@smithy/node-http-handler')
    const client = new BedrockRuntimeClient({
      region: 'us-east-1',
      endpoint: url,
      credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
      // Another handler speaks HTTP/2.
      requestHandler: new NodeHttpHandler(),
    })
    const { stream } = await client.send(new ConverseStreamCommand({ modelId: 'm', messages: [] }))
    const chunks: Untyped[] = []
    for await (const chunk of stream) chunks.push(chunk)
    const deltas = chunks.map(({ contentBlockDelta }) => contentBlockDelta?.delta ?? {})
    const reasoning = deltas.map(({ reasoningContent }) => reasoningContent ?? {})
    const starts = chunks.flatMap(({ contentBlockStart: one }) => (one?.start?.toolUse ? [one] : []))
    const jsonOf = (index: number): string =>
      chunks
        .filter(({ contentBlockDelta }) => contentBlockDelta?.contentBlockIndex === index)
        .map(({ contentBlockDelta }) => contentBlockDelta.delta.toolUse?.input ?? '')
        .join('')
    const usage = chunks.findLast(({ metadata }) => metadata?.usage)?.metadata.usage
    return {
      chunks,
      answer: {
        text: deltas.map(({ text }) => text ?? '').join(''),
        thoughts: reasoning.map(({ text }) => text ?? '').join(''),
        signatures: reasoning.flatMap(({ signature, redactedContent }) => {
          return (
            signature ??
            (redactedContent === undefined ? [] : Buffer.from(redactedContent).toString('base64'))
          )
        }),
        calls: starts.map(({ contentBlockIndex, start: { toolUse } }) => {
          return [toolUse.toolUseId, toolUse.name, parsed(jsonOf(contentBlockIndex))]
        }),
        finishReason: chunks.findLast(({ messageStop }) => messageStop)?.messageStop.stopReason,
        inputTokens: usage?.inputTokens,
        outputTokens: usage?.outputTokens,
      },
    }
  },
}
