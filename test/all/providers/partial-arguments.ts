/** The arguments of Gemini's calls, from values at JSON paths: the slow way. */
interface CallPart {
  readonly id?: string
  readonly name?: string
  readonly args?: Record<string, unknown>
  readonly partialArgs?: readonly {
    readonly jsonPath: string
    readonly stringValue?: string
    readonly numberValue?: number
    readonly boolValue?: boolean
  }[]
}

type Container = Record<string, unknown>

export function partialArguments(
  parts: readonly CallPart[],
): (readonly [id: string | undefined, name: string, args: unknown])[] {
  const calls: [string | undefined, string, Container][] = []
  for (const { id, name, args = {}, partialArgs = [] } of parts) {
    if (name !== undefined && name !== '') calls.push([id, name, args])
    for (const { jsonPath, stringValue, numberValue, boolValue } of partialArgs) {
      const names = jsonPath
        .slice(2)
        .split(/[.[\]]+/)
        .filter((one) => one !== '')
      const last = names.pop() as string
      let container = calls.at(-1)?.[2] as Container
      for (const [at, one] of names.entries()) {
        container[one] ??= /^\d+$/.test(names[at + 1] ?? last) ? [] : {}
        container = container[one] as Container
      }
      container[last] =
        stringValue === undefined
          ? (numberValue ?? boolValue ?? null)
          : `${container[last] ?? ''}${stringValue}`
    }
  }
  return calls
}
