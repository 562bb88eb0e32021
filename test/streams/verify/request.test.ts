// Tests the rules of input and authentication requests.
import { created, describeCases, status } from './cases.ts'

describeCases('requests', {
  'reports incomplete requests, and answers from another task or to closed requests': {
    events: [
      created,
      { ...created, taskId: 'other' },
      { kind: 'input-required', inputId: 'i', inputType: 'tool-execution', prompt: '' },
      { kind: 'input-canceled', taskId: 'other', inputId: 'i', reason: 'expired' },
      { kind: 'input-received', inputId: 'i', providedBy: 'agent', agentId: 'a', userId: 'u' },
      { kind: 'auth-required', authId: 'i', authType: 'oauth2', prompt: '' },
      { kind: 'auth-failed', authId: 'i', reason: 'denied' },
      { kind: 'auth-failed', authId: 'i', reason: 'denied' },
      status('completed'),
      { kind: 'task-status', taskId: 'other', status: 'completed' },
    ],
    rules: ['input-details', 'input-open', 'answerer-named', 'auth-url', 'auth-open'],
  },
  'ignores an unknown field inputId of an event after the end': {
    events: [created, status('completed'), { kind: 'content-delta', delta: '', index: 0, inputId: null }],
    options: { mode: 'standard' },
    rules: ['nothing-after-end'],
  },
  'accepts an answer at the time of expiry, and reports one a millisecond later': {
    events: [
      created,
      ...['i', 'k'].map((inputId) => ({
        kind: 'input-required',
        inputId,
        inputType: 'custom',
        prompt: '',
        metadata: { timeout: 60 },
      })),
      {
        kind: 'input-received',
        inputId: 'i',
        providedBy: 'user',
        userId: 'u',
        timestamp: '2026-01-01T00:01:00Z',
      },
      {
        kind: 'input-received',
        inputId: 'k',
        providedBy: 'user',
        userId: 'u',
        timestamp: '2026-01-01T00:01:00.001Z',
      },
      { ...status('completed'), timestamp: '2026-01-01T00:02:00Z' },
    ],
    rules: ['answer-in-time'],
  },
  'reports a second answer to a request from before the stream was joined': {
    events: [
      { kind: 'input-canceled', inputId: 'i', reason: 'expired' },
      { kind: 'input-canceled', inputId: 'i', reason: 'expired' },
      { kind: 'auth-failed', authId: 'i', reason: 'denied' },
      { kind: 'auth-failed', authId: 'i', reason: 'denied' },
      status('failed'),
    ],
    options: { startIndex: 1 },
    rules: ['input-open', 'auth-open'],
  },
  'reports answers to requests that were closed by the end of their task': {
    events: [
      created,
      { kind: 'input-required', inputId: 'i', inputType: 'custom', prompt: '' },
      { kind: 'auth-required', authId: 'a', authType: 'api-key', prompt: '' },
      status('canceled'),
      { kind: 'input-canceled', inputId: 'i', reason: 'task-ended' },
      { kind: 'auth-completed', authId: 'a', userId: 'u' },
      { kind: 'auth-failed', authId: 'b', reason: 'denied' },
    ],
    rules: ['answer-after-end', 'answer-after-end', 'nothing-after-end'],
  },
})
