/** What a session states of itself, as updates: the artifacts that `acpAgent` reads it as. */

import { type Fields, isCount, isListOf, isPlain } from '../../validation/predicates.ts'
import type { AcpUpdate } from './updates.ts'

/** The update that an artifact is; `undefined` if it is another one, or its data is not that of an update. */
export function stateUpdate(artifactId: string, data: Fields): AcpUpdate | undefined {
  const { items, currentModeId, used, size, cost, availableCommands, configOptions, title, updatedAt } = data
  switch (artifactId) {
    case 'plan':
      return hasTexts(items, 'content', 'priority', 'status')
        ? { sessionUpdate: 'plan', entries: items }
        : undefined
    case 'mode':
      return typeof currentModeId === 'string'
        ? { sessionUpdate: 'current_mode_update', currentModeId }
        : undefined
    case 'usage':
      return isCount(used) && isCount(size)
        ? {
            sessionUpdate: 'usage_update',
            used: Number(used),
            size: Number(size),
            ...(cost !== undefined && { cost }),
          }
        : undefined
    case 'commands':
      return hasTexts(availableCommands, 'name', 'description')
        ? { sessionUpdate: 'available_commands_update', availableCommands }
        : undefined
    case 'options':
      return hasTexts(configOptions, 'id', 'name', 'type')
        ? { sessionUpdate: 'config_option_update', configOptions }
        : undefined
    case 'session':
      return isLabel(title) && isLabel(updatedAt)
        ? { sessionUpdate: 'session_info_update', ...labels({ title, updatedAt }) }
        : undefined
    default:
      return undefined
  }
}

/** Whether an artifact has fields that no update has. */
export function hasOtherFields(data: Fields): boolean {
  return Object.keys(data).some((field) => !known.has(field))
}

const known: ReadonlySet<string> = new Set(
  'items currentModeId used size cost availableCommands configOptions title updatedAt'.split(' '),
)

function hasTexts(value: unknown, ...names: readonly string[]): value is readonly unknown[] {
  return isListOf(value, (item) => isPlain(item) && names.every((name) => typeof item[name] === 'string'))
}

type Label = string | null

function isLabel(value: unknown): value is Label | undefined {
  return value == null || typeof value === 'string'
}

function labels(stated: { title: Label | undefined; updatedAt: Label | undefined }): {
  title?: Label
  updatedAt?: Label
} {
  return Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined))
}
