/**
 * Writes the declarations of the entry points to `dist`, part of `npm run build`. They follow from the declared types alone
 * (`isolatedDeclarations`), so no type is inferred, and what entry points share is in one place.
 */
import { writeFile } from 'node:fs/promises'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { entryPoints } from './entry-points.ts'

const [, , dir = 'dist'] = process.argv
const input = Object.fromEntries(
  entryPoints.map(({ source }) => [source.replace(/^src\//, '').replace(/\.ts$/, ''), source]),
)
/** What a file says of itself: it would be the comment of its first declaration, which has its own. */
const FILE_COMMENTS = /^\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n(?=\/\*\*)/gm
const bundle = await rolldown({
  input,
  external: ['zod', 'react'],
  plugins: [
    dts({ oxc: true, emitDtsOnly: true }),
    { name: 'file-comments', renderChunk: (code) => code.replace(FILE_COMMENTS, '') },
  ],
})
// One set of declarations for both formats, under the only name that TypeScript lets both import.
await bundle.write({
  dir,
  entryFileNames: '[name].cjs',
  chunkFileNames: 'types/[name].cjs',
  minifyInternalExports: false,
  codeSplitting: { groups: [{ name: 'shared.d', minShareCount: 2 }] },
})
await bundle.close()
for (const name of Object.keys(input)) await writeFile(`${dir}/${name}.d.ts`, "export * from './index.cjs'\n")
