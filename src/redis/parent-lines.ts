/** What an event states about the parents of tasks, for the script to complete the events of known subtasks. */
import { statedLinks } from '../streams/log/writer/stated-links.ts'

/**
 * The lines that the script reads: the context, the task if the event lacks a `parentTaskId`, then each subtask and its
 * parent. Empty for an event of no task. JSON never holds a line break.
 */
export function parentLines(event: object): string {
  const { contextId, taskId, parentTaskId } = event as Readonly<Record<string, unknown>>
  if (typeof contextId !== 'string' || typeof taskId !== 'string') return ''
  const context = `[${JSON.stringify(contextId)},`
  const nameOf = (task: string): string => `${context}${JSON.stringify(task)}]`
  const isStamped = typeof parentTaskId === 'string'
  const lines = [context, isStamped ? '' : nameOf(taskId)]
  for (const [task, parent] of statedLinks(event)) lines.push(nameOf(task), JSON.stringify(parent))
  return lines.join('\n')
}

/** How the script understands these lines: it adds the parent of a task that its event lacks. */
export const STAMP = `
local function parentOf(task)
  return redis.call('HGET', PARENTS, task) or redis.call('HGET', OLDER, task)
end

-- Keeps the first parent of a task. A link that would form a cycle is ignored.
local function link(task, parent, context)
  if parentOf(task) then return end
  local at = parent
  for _ = 1, 64 do
    if not at then break end
    local ancestor = context .. at .. ']'
    if ancestor == task then return end
    at = parentOf(ancestor)
  end
  if redis.call('HLEN', PARENTS) >= 10000 then redis.call('RENAME', PARENTS, OLDER) end
  redis.call('HSET', PARENTS, task, parent)
  set('links', linkCount())
end

-- Adds what an event states about parents, and the parent of its task if it has none. Lines: the context as the beginning
-- of a task's name, the task if it lacks a parent, then pairs of a task and its parent.
local function stamp(event, lines)
  local context, task, links = lines:match('^([^\\n]*)\\n([^\\n]*)(.*)$')
  if not context then return event end
  for child, parent in links:gmatch('\\n([^\\n]*)\\n([^\\n]*)') do link(child, parent, context) end
  local parent = task ~= '' and parentOf(task)
  return parent and event:sub(1, -2) .. ',"parentTaskId":' .. parent .. '}' or event
end
`
