// The payload rules follow the specification; its payload structures take precedence over its functions.
import { describe, expect, it } from 'vitest'
import { sessionEventNames, validateSessionPayload } from '../../../src/dialects/session/index.ts'
import {
  sessionPayloadRules,
  validateSessionContent,
  validateSessionMetadata,
} from '../../../src/dialects/session/wire/payload-rules.ts'
import { documented } from './cases.ts'

const paths = (issues: readonly { code: string; path: string }[]): string[] =>
  issues.map(({ code, path }) => `${code} ${path}`)

describe('validateSessionContent', () => {
  it.each([
    ['user.message', 'x', []],
    ['user.message', {}, ['invalid-type /content']],
    ['user.message', null, ['missing /content']],
    ['user.response', { approved: false }, []],
    ['user.response', {}, ['missing /content/approved']],
    ['user.response', 'yes', ['invalid-type /content']],
    ['plan.completed', { tasks: [] }, []],
    ['plan.completed', 'done', ['invalid-type /content']],
    ['plan.validation_error', undefined, ['missing /content']],
    ['agent.tool_call', { tool_name: 'x' }, []],
    ['agent.tool_call', { tool_name: null }, ['missing /content/tool_name']],
    ['agent.final_answer', { answer: '' }, []],
    ['agent.final_answer', {}, ['missing /content/answer']],
    ['error.timeout', 'late', []],
    ['error.timeout', { late: true }, ['invalid-type /content']],
    ['solver.start', null, []],
    ['solver.start', [], ['invalid-type /content']],
    ['agent.sang', 7, ['invalid-type /content']],
    ['__proto__', 'x', []],
  ])('%s with %j', (event, content, issues) => {
    expect(paths(validateSessionContent(event, content))).toEqual(issues)
  })
})

describe('validateSessionMetadata', () => {
  it.each([
    ['user.message', undefined, []],
    ['user.message', [], ['invalid-type /metadata']],
    ['solver.progress', { progress_percent: 0 }, []],
    ['solver.progress', {}, ['missing /metadata/progress_percent']],
    ['solver.progress', null, ['missing /metadata']],
    ['error.validation', {}, ['missing /metadata/error_code']],
    ['error.execution', {}, ['missing /metadata/error_code']],
    ['error.recovery_failed', {}, ['missing /metadata/error_code']],
    ['error.retry', {}, []],
    ['error.recovery_started', {}, []],
    ['error.recovery_success', {}, []],
  ])('%s with %j', (event, metadata, issues) => {
    expect(paths(validateSessionMetadata(event, metadata))).toEqual(issues)
  })
})

describe('validateSessionPayload', () => {
  it('accepts every documented event', () => {
    for (const { event } of documented) expect(validateSessionPayload(event), event.event).toEqual([])
  })

  it('requires ids', () => {
    const event = { event: 'user.response', content: { approved: true } }
    expect(paths(validateSessionPayload(event))).toEqual(['missing /session_id', 'missing /step_id'])
  })

  it('requires each field that the rules name', () => {
    for (const { event } of documented) {
      const {
        required = [],
        contentField,
        metadataField,
      } = sessionPayloadRules[event.event as 'error.retry'] ?? {}
      const without = (field: string): string[] => {
        const { [field]: _, ...rest } = event as unknown as Record<string, unknown>
        return paths(validateSessionPayload(rest as { event: string }))
      }
      for (const field of required) expect(without(field), event.event).toContain(`missing /${field}`)
      const fields = { content: contentField, metadata: metadataField }
      for (const [part, field] of Object.entries(fields)) {
        if (field === undefined) continue
        const emptied = { ...event, [part]: {} }
        expect(paths(validateSessionPayload(emptied)), event.event).toContain(`missing /${part}/${field}`)
      }
    }
  })

  it('has rules only for documented events', () => {
    for (const name of Object.keys(sessionPayloadRules)) expect(sessionEventNames).toContain(name)
  })
})
