// Proves that the ids which providers do not state are unique in a stream, whatever responses it has.
import { run } from 'turnstream'
import { geminiContent, openaiChat } from 'turnstream/providers'
import { describe, expect, it } from 'vitest'

const chatCall = {
  choices: [
    { index: 0, delta: { tool_calls: [{ index: 0, function: { name: 'status', arguments: '{}' } }] } },
    { index: 0, delta: {}, finish_reason: 'tool_calls' },
  ],
}
const chatImage = {
  choices: [{ index: 0, delta: { images: [{ image_url: { url: 'data:image/png;base64,AAAA' } }] } }],
}
const geminiCall = {
  candidates: [{ content: { parts: [{ functionCall: { name: 'status', args: { of: 'it' } } }] } }],
}

/** The ids of the calls and files of a response. */
function idsOf(machine: Parameters<typeof run>[0], chunk: unknown): string[] {
  const { push, end } = run(machine as never) as {
    push(chunk: unknown): readonly Record<string, string>[]
    end(): readonly Record<string, string>[]
  }
  const drafts = [...push(chunk), ...end()]
  const ids = drafts.flatMap(({ toolCallId, artifactId }) => toolCallId ?? artifactId ?? [])
  return [...new Set(ids)]
}

describe.each([
  ['a call of openaiChat', openaiChat, chatCall],
  ['a file of openaiChat', openaiChat, chatImage],
  ['a call of geminiContent', geminiContent, geminiCall],
])('%s without an id, in a response without one', (_, reader, chunk) => {
  it('has another id in each response of a stream, also at the same iteration, and the same for the same chunk', () => {
    const machine = reader() as never
    const responses = [{ created: 1 }, { created: 2 }, { usageMetadata: { promptTokenCount: 7 } }]
    const ids = responses.flatMap((stated) => idsOf(machine, { ...chunk, ...stated }))
    const later = idsOf(reader({ iteration: 1 }) as never, { ...chunk, ...responses[0] })
    expect(new Set([...ids, ...later]).size).toBe(4)
    expect(idsOf(machine, { ...chunk, ...responses[0] })).toEqual(ids.slice(0, 1))
  })

  it('has the same id for the same newId, which is called once', () => {
    let count = 0
    const newId = (): string => `turn-${++count}`
    const [id] = idsOf(reader({ newId }) as never, chunk)
    expect(id).toMatch(/^turn-1-/)
    expect(count).toBe(1)
  })

  it('begins with the id of the response if there is one, and calls no newId', () => {
    const newId = (): string => {
      throw new Error('not called')
    }
    const [id] = idsOf(reader({ newId }) as never, { id: 'r-1', responseId: 'r-1', ...chunk })
    expect(id).toMatch(/^r-1-/)
  })
})

it('refuses a newId that is no function, and what is no id', () => {
  expect(() => openaiChat({ newId: 'x' as never })).toThrow(/"newId"/)
  expect(() => idsOf(openaiChat({ newId: () => '' }) as never, chatCall)).toThrow(/"newId\(\)"/)
})
