/**
 * `npm run docs`: builds the documentation site from the pages in docs/ into site/, with an API reference from the
 * TSDoc. `npm run docs -- --serve` serves the pages while they are edited.
 *
 * The build fails on a link to a page that does not exist.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Application, type TypeDocOptions } from 'typedoc'
import { build, createServer } from 'vitepress'
import { viewerPage } from '../src/cli/viewer/page.ts'
import { entryPoints } from './entry-points.ts'
import { withExample } from './example-recording.ts'

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** Writes one page for each entry point into docs/api, which is not part of the repository. */
async function writeApi(): Promise<void> {
  rmSync(at('docs/api'), { recursive: true, force: true })
  const options: Record<string, unknown> = {
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: entryPoints.map(({ source }) => at(source)),
    tsconfig: at('tsconfig.json'),
    out: at('docs/api'),
    readme: 'none',
    skipErrorChecking: true,
    excludeExternals: true,
    excludePrivate: true,
    excludeInternal: true,
    disableSources: true,
    hideBreadcrumbs: true,
    hidePageHeader: true,
    router: 'module',
    entryFileName: 'index',
    useCodeBlocks: true,
    useHTMLAnchors: true,
    expandObjects: true,
    parametersFormat: 'table',
    tableColumnSettings: { hideModifiers: true },
    propertyMembersFormat: 'table',
    interfacePropertiesFormat: 'table',
    typeAliasPropertiesFormat: 'table',
    sanitizeComments: true,
    validation: { notExported: false, invalidLink: false },
    logLevel: 'Warn',
  }
  const application = await Application.bootstrapWithPlugins(options as TypeDocOptions)
  const project = await application.convert()
  if (project === undefined) throw new Error('TypeDoc found errors.')
  for (const module of project.children ?? []) {
    const entry = entryPoints.find(
      ({ source }) => source.replace(/^src\/|(\/index)?\.ts$/g, '') === module.name,
    )
    if (entry !== undefined) module.name = entry.name
  }
  await application.generateOutputs(project)
}

await writeApi()
writeFileSync(
  at('docs/public/playground.html'),
  withExample(await viewerPage(new URL('../dist/', import.meta.url))),
)
if (process.argv.includes('--serve')) {
  const server = await createServer(at('docs'))
  await server.listen()
  server.printUrls()
} else {
  await build(at('docs'))
}
