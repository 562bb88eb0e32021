/** `npm run readme`: puts the example files into the README. `--check` fails when they differ. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** The README with every block that names a file holding that file. */
export function withExamples(readme: string): string {
  return readme.replace(/<!-- (examples\/\S+) -->\n```ts\n[\s\S]*?```/g, (_block, path: string) => {
    return `<!-- ${path} -->\n\`\`\`ts\n${readFileSync(at(path), 'utf8')}\`\`\``
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const readme = readFileSync(at('README.md'), 'utf8')
  writeFileSync(at('README.md'), withExamples(readme))
}
