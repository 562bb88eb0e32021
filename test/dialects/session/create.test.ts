// Created events are valid, in the documented order and stamped by the clock; misuse throws a TypeError.

import { describe, expect, it } from 'vitest'
import { createSessionEvent, decodeSessionEvent } from '../../../src/dialects/session/index.ts'
import type { SessionEventName } from '../../../src/dialects/session/wire/names.ts'
import { documented } from './cases.ts'

const now = (): string => '2026-03-04T05:06:07.080Z'
const session_id = 's-7'

describe('createSessionEvent', () => {
  it.each(documented.map(({ event }) => [event.event, event] as const))('creates %s', (name, event) => {
    const {
      event: _,
      timestamp: _at,
      content,
      metadata,
      ...envelope
    } = { content: null, ...event } as never as {
      event: string
      timestamp: string
      content: never
      metadata: never
    }
    const made = createSessionEvent(name as SessionEventName, content, metadata, { now, ...envelope })
    const { metadata: given = {}, ...rest } = { content: null, metadata: undefined, ...event }
    // Empty metadata is omitted.
    expect(made).toEqual(Object.keys(given).length === 0 ? rest : { ...rest, metadata: given })
    expect(decodeSessionEvent(made)).toEqual({ status: 'known', event: made })
  })

  it('orders the keys, and writes null for missing content', () => {
    const made = createSessionEvent('user.request_state', null, {}, { now, seq: 4, step_id: 'x', session_id })
    expect(JSON.stringify(made)).toBe(
      '{"event":"user.request_state","timestamp":"2026-03-04T05:06:07.080Z","session_id":"s-7","content":null,"seq":4,"step_id":"x"}',
    )
  })

  it('keeps an empty string', () => {
    expect(createSessionEvent('user.message', '', undefined, { now, session_id }).content).toBe('')
  })

  it.each([
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [1000, '1970-01-01T00:00:01.000Z'],
    ['2026-01-01T00:00:00+02:00', '2026-01-01T00:00:00+02:00'],
  ])('stamps with %j of the clock', (time, timestamp) => {
    expect(
      createSessionEvent('user.message', 'x', undefined, { now: () => time, session_id }).timestamp,
    ).toBe(timestamp)
  })

  it('creates the heartbeat of a client', () => {
    const made = createSessionEvent('system.heartbeat', null, { seq: 3 }, { now, direction: 'client' })
    expect(decodeSessionEvent(made, { direction: 'client' }).status).toBe('known')
  })

  it.each([
    [
      'a missing clock',
      () => createSessionEvent('user.message', 'x', undefined, { session_id } as never),
      /"now"/,
    ],
    [
      'a clock that returns NaN',
      () => createSessionEvent('user.message', 'x', undefined, { now: () => NaN, session_id }),
      /"now\(\)" must be .* got NaN/,
    ],
    [
      'a clock that returns an invalid timestamp',
      () => createSessionEvent('user.message', 'x', undefined, { now: () => 'noon', session_id }),
      /"now\(\)" must be .* got "noon"/,
    ],
    [
      'an unknown event',
      () => createSessionEvent('user.sang' as never, null as never, undefined, { now }),
      /user\.sang/,
    ],
    [
      'an empty session_id',
      () => createSessionEvent('user.message', 'x', undefined, { now, session_id: '' }),
      /session_id/,
    ],
    [
      'content of another type',
      () => createSessionEvent('user.message', 7 as never, undefined, { now, session_id }),
      /content/,
    ],
    [
      'a heartbeat without uptime',
      () => createSessionEvent('system.heartbeat', null, { seq: 3 } as never, { now }),
      /uptime/,
    ],
  ])('throws for %s', (_, make, message) => {
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
  })
})
