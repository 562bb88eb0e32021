type Method = 'charCodeAt' | 'slice' | 'trim' | 'trimEnd' | 'trimStart'

/**
 * Adds up the costs of the calls of methods of strings while something runs. A spy would keep each call.
 *
 * @param costs - The cost of a call of each method with a string.
 */
export function costOfCalls(
  costs: Readonly<Partial<Record<Method, (text: string) => number>>>,
  during: () => void,
): number {
  let sum = 0
  const methods = String.prototype as unknown as Record<string, (...args: unknown[]) => unknown>
  const originals = Object.keys(costs).map((name) => [name, methods[name]] as const)
  for (const [name, cost] of Object.entries(costs)) {
    const original = methods[name] as (...args: unknown[]) => unknown
    methods[name] = function (this: string, ...args) {
      sum += cost(this)
      return original.apply(this, args)
    }
  }
  try {
    during()
    return sum
  } finally {
    for (const [name, original] of originals) if (original !== undefined) methods[name] = original
  }
}
