/** Generates UI message streams as AI SDK servers send them: legal ones, with every type of chunk. */
import fc from 'fast-check'
import type { UiMessageChunk } from '../../../src/dialects/ai-sdk/index.ts'
import { jsonValue } from '../../support/json.ts'

const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
const text = fc.string({ unit: 'grapheme', maxLength: 8 })
const json = jsonValue({ maxDepth: 2, stringUnit: 'grapheme' }).map(
  (value) => JSON.parse(JSON.stringify(value)) as unknown,
)
const record = fc
  .dictionary(word, json, { maxKeys: 3, noNullPrototype: true })
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>)
const provider = fc
  .option(
    fc.oneof(
      fc.record({ openai: fc.record({ itemId: word }) }),
      fc.record({ anthropic: fc.record({ signature: word }) }),
      fc.record({ google: fc.record({ thoughtSignature: word, other: json }) }),
    ),
    { nil: undefined },
  )
  .map((value) => (value === undefined ? {} : { providerMetadata: value as never }))

/** Of another provider than the end of the part, whose metadata replaces that of the beginning. */
const earlier = fc
  .option(fc.record({ azure: fc.record({ itemId: word }) }), { nil: undefined })
  .map((value) => (value === undefined ? {} : { providerMetadata: value as never }))

type Build = (id: string) => fc.Arbitrary<UiMessageChunk[]>

const pieces = fc.array(text, { maxLength: 3 })

const textPart: Build = (id) =>
  fc
    .tuple(pieces, earlier, provider)
    .map(([deltas, before, after]) => [
      { type: 'text-start', id, ...before },
      ...deltas.map((delta) => ({ type: 'text-delta', id, delta }) as const),
      { type: 'text-end', id, ...after },
    ])

const citedText: Build = (id) =>
  fc.tuple(text, word, word, fc.nat(9)).map(([delta, url, title, start]) => [
    { type: 'text-start', id },
    { type: 'text-delta', id, delta },
    { type: 'source-url', sourceId: `s-${id}`, url, title },
    { type: 'source-document', sourceId: `d-${id}`, mediaType: 'text/plain', title, filename: title },
    {
      type: 'text-end',
      id,
      citations: [
        {
          source: { type: 'source', sourceType: 'url', id: `c-${id}`, url, title },
          startIndex: start,
          endIndex: start + 1,
          citedText: title,
        },
      ],
    },
  ])

const reasoningPart: Build = (id) =>
  fc
    .tuple(pieces, provider)
    .map(([deltas, after]) => [
      { type: 'reasoning-start', id },
      ...deltas.map((delta) => ({ type: 'reasoning-delta', id, delta }) as const),
      { type: 'reasoning-end', id, ...after },
    ])

const outcome = (toolCallId: string): fc.Arbitrary<UiMessageChunk[]> =>
  fc.oneof(
    json.map((output): UiMessageChunk[] => [{ type: 'tool-output-available', toolCallId, output }]),
    fc.tuple(json, text, json).map(([first, second, output]): UiMessageChunk[] => [
      { type: 'tool-output-available', toolCallId, output: second, preliminary: true },
      { type: 'tool-output-available', toolCallId, output: first, preliminary: true },
      { type: 'tool-output-available', toolCallId, output, dynamic: true },
    ]),
    word.map((errorText): UiMessageChunk[] => [{ type: 'tool-output-error', toolCallId, errorText }]),
  )

/** The input of a call, as JSON or text in pieces, and what comes of it. */
const toolPart: Build = (toolCallId) =>
  fc
    .tuple(record, fc.nat(9), fc.boolean(), provider, outcome(toolCallId), word)
    .map(([input, cut, isStreamed, more, end, title]) => {
      const name = { toolCallId, toolName: 'search', dynamic: true, title }
      const whole = JSON.stringify(input)
      const at = Math.min(cut, whole.length)
      const deltas = [whole.slice(0, at), whole.slice(at)].map(
        (inputTextDelta) => ({ type: 'tool-input-delta', toolCallId, inputTextDelta }) as const,
      )
      return [
        ...(isStreamed ? [{ type: 'tool-input-start', ...name } as const, ...deltas] : []),
        { type: 'tool-input-available', ...name, input, ...more },
        ...end,
      ]
    })

const textTool: Build = (toolCallId) =>
  fc
    .tuple(text, text, outcome(toolCallId))
    .map(([a, b, end]) => [
      { type: 'tool-input-start', toolCallId, toolName: 'shell', inputEncoding: 'text' },
      { type: 'tool-input-delta', toolCallId, inputTextDelta: a },
      { type: 'tool-input-delta', toolCallId, inputTextDelta: b },
      { type: 'tool-input-available', toolCallId, toolName: 'shell', input: a + b, providerExecuted: true },
      ...end,
    ])

const invalidTool: Build = (toolCallId) =>
  fc.tuple(record, word, fc.boolean()).map(([input, errorText, isStreamed]) => [
    ...(isStreamed
      ? ([
          { type: 'tool-input-start', toolCallId, toolName: 'gone' },
          { type: 'tool-input-delta', toolCallId, inputTextDelta: '{"a":"b' },
        ] as const)
      : []),
    { type: 'tool-input-error', toolCallId, toolName: 'gone', input, errorText, dynamic: true },
    ...(isStreamed ? [] : [{ type: 'tool-output-error', toolCallId, errorText } as const]),
  ])

const approvedTool: Build = (toolCallId) =>
  fc
    .tuple(record, word, fc.boolean(), json)
    .map(([input, reason, approved, output]) => [
      { type: 'tool-input-available', toolCallId, toolName: 'pay', input },
      { type: 'tool-approval-request', approvalId: `a-${toolCallId}`, toolCallId, reason },
      { type: 'tool-approval-response', approvalId: `a-${toolCallId}`, approved, reason },
      approved
        ? { type: 'tool-output-available', toolCallId, output }
        : { type: 'tool-output-denied', toolCallId },
    ])

const filePart: Build = () =>
  fc
    .tuple(fc.uint8Array({ maxLength: 9 }), fc.constantFrom('file', 'reasoning-file'), provider)
    .map(([bytes, type, more]): UiMessageChunk[] => [
      {
        type: type as 'file',
        url: `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`,
        mediaType: 'image/png',
        ...more,
      },
    ])

const linkPart: Build = () =>
  word.map((path): UiMessageChunk[] => [
    { type: 'file', url: `https://files.example/${encodeURIComponent(path)}`, mediaType: 'application/pdf' },
  ])

const dataPart: Build = (id) =>
  fc
    .tuple(fc.constantFrom('weather', 'acme.note', 'input', 'artifact'), json, fc.boolean(), fc.boolean())
    .map(([name, data, hasId, transient]): UiMessageChunk[] => [
      { type: `data-${name}`, ...(hasId && { id }), data, ...(transient && { transient }) },
    ])

const customPart: Build = () =>
  provider.map((more): UiMessageChunk[] => [{ type: 'custom', kind: 'openai.compaction', ...more }])

const steering: Build = (id) =>
  word.map((value): UiMessageChunk[] => [
    { type: 'steering-message', id, parts: [{ type: 'text', text: value }] },
  ])

const metadata: Build = (id) =>
  fc.oneof(
    record.map((one): UiMessageChunk[] => [{ type: 'message-metadata', messageMetadata: { [id]: one } }]),
    word.map((errorText): UiMessageChunk[] => [{ type: 'error', errorText }]),
  )

const step: Build = () =>
  fc.constantFrom<UiMessageChunk[]>(
    [{ type: 'finish-step' }, { type: 'start-step' }],
    [{ type: 'reset-step' }],
  )

const builds: readonly Build[] = [
  textPart,
  textPart,
  citedText,
  reasoningPart,
  toolPart,
  toolPart,
  textTool,
  invalidTool,
  approvedTool,
  filePart,
  linkPart,
  dataPart,
  customPart,
  steering,
  metadata,
  step,
]

const ending: fc.Arbitrary<UiMessageChunk[]> = fc.oneof(
  fc
    .constantFrom('stop', 'length', 'other')
    .map((finishReason): UiMessageChunk[] => [
      { type: 'finish-step' },
      { type: 'finish', finishReason: finishReason as 'stop', messageMetadata: { model: 'm' } },
    ]),
  fc.constant<UiMessageChunk[]>([{ type: 'finish' }]),
  word.map((reason): UiMessageChunk[] => [{ type: 'abort', reason }]),
  word.map((errorText): UiMessageChunk[] => [{ type: 'error', errorText }]),
)

/** Whole messages. Parts are complete, and some of them overlap. */
export const chunkStreams: fc.Arbitrary<UiMessageChunk[]> = fc
  .tuple(
    fc.array(fc.nat(builds.length - 1), { maxLength: 7 }),
    fc.infiniteStream(fc.boolean()),
    ending,
    record,
  )
  .chain(([picks, coins, end, messageMetadata]) =>
    fc.tuple(...picks.map((pick, i) => (builds[pick] as Build)(`id-${i}`))).map((parts) => {
      const body: UiMessageChunk[] = []
      for (const part of parts) {
        // A step does not end while something is open, as no server of ours ends it.
        const overlaps =
          !part.some(({ type }) => type.endsWith('-step')) && body.length > 0 && coins.next().value
        const at = overlaps ? body.length - 1 : body.length
        const isSafe = body[at]?.type.endsWith('-end') === true && part[0]?.type.endsWith('-start') === true
        body.splice(isSafe ? at : body.length, 0, ...part)
      }
      return [
        { type: 'start', messageId: 'm-1', messageMetadata: { own: messageMetadata } },
        { type: 'start-step' },
        ...body,
        ...end,
      ] as UiMessageChunk[]
    }),
  )
