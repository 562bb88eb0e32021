/** Programs for the tests of the runner: Node with a few lines, which `answer` one case each. */

/** A command that calls `answer(case, line)` for each line, and prints what it returns unless that is undefined. */
export function program(answer: string, before = ''): string[] {
  const script = `
    ${before}
    const answer = ${answer}
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const text = answer(JSON.parse(line), line)
      if (text !== undefined) process.stdout.write((typeof text === 'string' ? text : JSON.stringify(text)) + '\\n')
    })`
  return [process.execPath, '-e', script]
}
