// Tests that the audience labels of events are kept in the parts, and never widen.
import { describe, expect, it } from 'vitest'
import { artifactOf } from '../../../../src/streams/index.ts'
import { fold } from '../../verify/support.ts'
import { events, file } from '../support.ts'

const label = (...audience: unknown[]) => ({ metadata: { audience } })
const tool = { toolCallId: 'c', toolName: 't' }
const start = { kind: 'tool-start', ...tool, arguments: {} }
const end = { kind: 'tool-complete', ...tool, success: true }
const partsOf = (...stream: object[]) => fold(events(...stream)).tasks[0]?.parts

describe('the audience of a part', () => {
  it.each<[what: string, stream: object[], audience: string[] | undefined]>([
    ['is omitted without a label', [start, end], undefined],
    [
      'is the label of its only event, in a fixed order',
      [{ ...start, ...label('operator', 'user') }],
      ['user', 'operator'],
    ],
    ['is kept by events without a label', [{ ...start, ...label('operator') }, end], ['operator']],
    ['is restricted by a later label', [start, { ...end, ...label('operator') }], ['operator']],
    [
      'is what all labels allow',
      [
        { ...start, ...label('user', 'parent') },
        { ...end, ...label('parent', 'operator') },
      ],
      ['parent'],
    ],
    [
      'is nobody if no label allows the same',
      [
        { ...start, ...label('user') },
        { ...end, ...label('parent') },
      ],
      [],
    ],
    ['is nobody for an invalid label', [{ ...start, metadata: { audience: 'user' } }], []],
    ['is nobody for a label with an invalid name', [{ ...start, ...label('user', 1) }], []],
    ['is nobody for a label with an unknown name', [{ ...start, ...label('user', 'auditor') }], []],
    ['is omitted for null', [{ ...start, metadata: { audience: null } }], undefined],
  ])('%s', (_, stream, audience) => {
    const [part] = partsOf(...stream) ?? []
    expect(part?.audience).toEqual(audience)
    expect(part).not.toHaveProperty('metadata')
  })

  it('is not repeated in metadata', () => {
    const more = { metadata: { audience: ['operator'], confidence: 1 } }
    const thought = { thoughtId: 'h', thoughtType: 'planning', verbosity: 'brief', content: '', index: 0 }
    const input = { inputId: 'i', inputType: 'custom', prompt: '?' }
    expect(
      partsOf(
        { kind: 'thought-stream', ...thought, ...more },
        { kind: 'input-required', ...input, ...more },
        { kind: 'custom', name: 'acme.x', data: 1, ...more },
        { kind: 'tool-progress', toolCallId: 'c', progress: 0, ...more },
        { kind: 'task-error', error: { code: 'e', message: 'm', retry: 'retrying' }, ...more },
        { kind: 'subtask-created', subtaskId: 's', prompt: '', ...more },
      ),
    ).toMatchObject([
      { type: 'thought', audience: ['operator'], metadata: { confidence: 1 } },
      { type: 'input', audience: ['operator'], request: { metadata: { confidence: 1 } } },
      { type: 'custom', audience: ['operator'], metadata: { confidence: 1 } },
      { type: 'tool', audience: ['operator'], progress: { metadata: { confidence: 1 } } },
      { type: 'error', audience: ['operator'] },
      { type: 'subtask', audience: ['operator'] },
    ])
    expect(JSON.stringify(partsOf({ kind: 'input-required', ...input, ...more })?.[0])).toMatch(
      /^(?:(?!"metadata":[^}]*audience).)*$/s,
    )
  })

  it('of an artifact is what the labels of all writes allow; its parts have those of their tasks', () => {
    const other = { taskId: 'other' }
    const view = fold(
      events(
        file('a', 0, true, label('user', 'parent')),
        file('b', 0, true, { ...other, ...label('parent', 'operator') }),
      ),
    )
    expect(artifactOf(view, 'f')).toMatchObject({ audience: ['parent'] })
    expect(artifactOf(view, 'f')).not.toHaveProperty('metadata')
    expect(view.tasks.map(({ parts }) => parts[0]?.audience)).toEqual([
      ['user', 'parent'],
      ['parent', 'operator'],
    ])
  })

  it('of the events of a task itself stays in its metadata', () => {
    const [task] = fold(
      events(
        { kind: 'task-created', initiator: 'user', metadata: { audience: ['operator'], input: 'Hi' } },
        { kind: 'task-status', status: 'completed', ...label('operator') },
        { kind: 'task-complete', metadata: { audience: ['operator'], usage: [] } },
      ),
    ).tasks
    expect(task).toMatchObject({
      input: 'Hi',
      metadata: { audience: ['operator'] },
      statusMetadata: { audience: ['operator'] },
      usage: [],
      result: { metadata: { audience: ['operator'] } },
    })
  })

  it.each<[what: string, first: object, next: object]>([
    ['thought', { kind: 'thought-delta', thoughtId: 'h', delta: '', index: 0 }, { index: 1 }],
    [
      'whole thought',
      { kind: 'thought-delta', thoughtId: 'h', delta: '', index: 0 },
      { kind: 'thought-stream', thoughtType: 'planning', verbosity: 'brief', content: '' },
    ],
    ['text', { kind: 'content-delta', delta: 'a', index: 0 }, { kind: 'content-complete', content: 'a' }],
    ['tool call', start, end],
    [
      'input',
      { kind: 'input-required', inputId: 'i', inputType: 'custom', prompt: '' },
      { kind: 'input-canceled', reason: 'expired' },
    ],
    [
      'authentication',
      { kind: 'auth-required', authId: 'a', authType: 'custom', prompt: '' },
      { kind: 'auth-failed', reason: 'denied' },
    ],
    ['custom event', { kind: 'custom', name: 'a.b', customId: 'c', data: 1 }, { data: 2 }],
    ['artifact', file('a', 0, false), file('b', 1, true)],
    [
      'change',
      file('a', 0, true),
      {
        kind: 'artifact-delta',
        baseVersion: 1,
        version: 2,
        change: { type: 'text-append', text: '' },
      },
    ],
  ])('of a %s stays the same object with the same label', (_, first, next) => {
    const before = fold(events({ ...first, ...label('user') }))
    const after = fold(events({ ...first, ...next, ...label('user') }), before)
    expect(after.diagnostics).toEqual([])
    expect(after.tasks[0]?.parts[0]?.audience).toEqual(['user'])
    expect(after.tasks[0]?.parts[0]?.audience).toBe(before.tasks[0]?.parts[0]?.audience)
    expect(after.artifacts[0]?.audience).toBe(before.artifacts[0]?.audience)
  })
})
