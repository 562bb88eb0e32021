/** The names of steps that are model responses. */

const NAME = /^turnstream\.iteration:(0|[1-9]\d{0,14})$/

export function stepNameOf(iteration: number): string {
  return `turnstream.iteration:${iteration}`
}

/** The model response that a step is; `null` if it is another step. */
export function iterationOfStep(stepName: string): number | null {
  const [, digits] = NAME.exec(stepName) ?? []
  return digits === undefined ? null : Number(digits)
}
