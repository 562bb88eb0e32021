// Questions and answers are valid, and match by step, session and type of question.
import { describe, expect, it } from 'vitest'
import {
  answerConfirm,
  createConfirm,
  decodeSessionEvent,
  matchConfirm,
} from '../../../src/dialects/session/index.ts'

const now = (): string => '2026-03-04T05:06:07.080Z'
const place = { now, session_id: 's-7', step_id: 'ask-1' }
const options = [
  { id: 'o-1', label: 'Genoa' },
  { id: 'o-2', label: 'Koper' },
]
const approve = createConfirm({ message: 'Go on?' }, place)
const select = createConfirm(
  { message: 'Which?', confirmation_type: 'select', options, timeout_seconds: 5, critical: true },
  place,
)
const input = createConfirm({ message: 'When?', confirmation_type: 'input' }, place)

it('createConfirm creates valid questions', () => {
  for (const question of [approve, select, input]) {
    expect(decodeSessionEvent(question, { direction: 'server' }).status).toBe('known')
  }
  expect(approve).toMatchObject({ content: { confirmation_type: 'approve' }, metadata: { critical: false } })
  expect(select).toMatchObject({ content: { options }, metadata: { timeout_seconds: 5, critical: true } })
})

describe('an answer', () => {
  it.each([
    [approve, { approved: true }, 'answered'],
    [approve, { approved: false, feedback: 'No' }, 'declined'],
    [select, { approved: true, selected_id: 'o-2' }, 'answered'],
    [select, { approved: false }, 'declined'],
    [input, { approved: true, value: '' }, 'answered'],
    [input, { approved: true, data: { when: 'now' } }, 'answered'],
  ])('matches its question: %#', (question, content, match) => {
    const answer = answerConfirm(question, content, { now })
    expect(answer).toMatchObject({ session_id: 's-7', step_id: 'ask-1', content })
    expect(decodeSessionEvent(answer, { direction: 'client' }).status).toBe('known')
    // Servers read one or the other.
    expect(answer.content).toMatchObject({ approved: content.approved, confirmed: content.approved })
    expect(matchConfirm(question, answer)).toBe(match)
  })

  it('of another question does not match', () => {
    const answer = answerConfirm(approve, { approved: true }, { now })
    expect(matchConfirm({ ...approve, step_id: 'ask-2' }, answer)).toBe('other-question')
    expect(matchConfirm({ ...approve, session_id: 's-8' }, answer)).toBe('other-question')
  })

  it.each([
    [select, { approved: true }, /no-such-option/],
    [select, { approved: true, selected_id: 'o-3' }, /no-such-option/],
    [input, { approved: true }, /no-value/],
    [approve, { approved: 'yes' as never }, /approved/],
  ])('that does not match throws: %#', (question, content, message) => {
    expect(() => answerConfirm(question, content, { now })).toThrow(TypeError)
    expect(() => answerConfirm(question, content, { now })).toThrow(message)
  })

  it('needs options for a select question', () => {
    const question = { message: 'Which?', confirmation_type: 'select' } as const
    expect(() => createConfirm(question, place)).toThrow(TypeError)
    expect(() => createConfirm({ ...question, options: [] }, place)).toThrow(TypeError)
  })
})
