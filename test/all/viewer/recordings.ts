/** Recordings for the viewer: a hostile one, and a long one. */

/** Markup and script where a recording has text, and what must not be in the page because of it. */
export const HOSTILE = `"><img src=x onerror="globalThis.attacked = 1"></script><script>globalThis.attacked = 1</script><!--`

const start = Date.UTC(2026, 0, 1)

function line(ms: number, kind: string, fields: object): string {
  const timestamp = new Date(start + ms).toISOString()
  return `${JSON.stringify({ kind, timestamp, contextId: 'c', taskId: 'root', ...fields })}\n`
}

/** Every text that the page shows is hostile. */
export function hostileRecording(): string {
  const task = { contextId: HOSTILE, taskId: HOSTILE }
  return [
    line(0, 'task-created', { ...task, initiator: 'user', metadata: { agentId: HOSTILE, input: HOSTILE } }),
    line(10, 'task-status', { ...task, status: 'working', message: HOSTILE }),
    line(20, 'thought-delta', { ...task, thoughtId: HOSTILE, index: 0, delta: HOSTILE }),
    line(30, 'tool-start', {
      ...task,
      toolCallId: HOSTILE,
      toolName: HOSTILE,
      arguments: { [HOSTILE]: HOSTILE },
    }),
    line(40, 'tool-complete', {
      ...task,
      toolCallId: HOSTILE,
      toolName: HOSTILE,
      success: false,
      error: HOSTILE,
    }),
    line(50, 'input-required', { ...task, inputId: HOSTILE, inputType: 'clarification', prompt: HOSTILE }),
    line(60, 'file-write', {
      ...task,
      artifactId: HOSTILE,
      name: HOSTILE,
      data: HOSTILE,
      index: 0,
      complete: true,
    }),
    line(70, 'custom', { ...task, name: HOSTILE, data: HOSTILE }),
    line(80, HOSTILE, task),
    line(90, 'content-delta', { ...task, index: 7, delta: HOSTILE }),
    `{"kind": "${HOSTILE.replaceAll('"', '\\"')}", \n`,
    line(100, 'task-error', { ...task, error: { code: HOSTILE, message: HOSTILE, retry: 'terminal' } }),
  ].join('')
}

/** Turns of thoughts, tools and text: as many events as wanted. One delta in 5000 is missing. */
export function longRecording(count: number): string {
  const lines = [line(0, 'task-created', { initiator: 'user', metadata: { agentId: 'long' } })]
  const add = (kind: string, fields: object): void => {
    if (lines.length < count) lines.push(line(lines.length * 20, kind, fields))
  }
  for (let turn = 0; lines.length < count; turn++) {
    const thought = { thoughtId: `thought-${turn}`, thoughtType: 'planning', verbosity: 'normal' }
    for (let index = 0; index < 10; index++) add('thought-delta', { ...thought, index, delta: 'thinking ' })
    add('thought-stream', { ...thought, content: 'thinking '.repeat(10), index: turn })
    const call = { toolCallId: `call-${turn}`, toolName: `search_${turn % 7}` }
    add('tool-start', { ...call, arguments: { query: `term ${turn}` } })
    add('tool-complete', { ...call, success: true, result: { found: turn } })
    const words = Array.from({ length: 87 }, (_, index) => `word${index} `)
    const isFaulty = turn % 50 === 49
    for (const [i, delta] of words.entries())
      add('content-delta', { index: isFaulty && i > 40 ? i + 1 : i, delta })
    add('content-complete', { content: words.join('') })
  }
  return lines.join('')
}
