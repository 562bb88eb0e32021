/** What the steps share: made when the first of them asks for it, and put away at the end. */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { pack } from './pack.ts'
import { Skipped } from './step.ts'

export interface Lab {
  /** The checkout. */
  readonly root: string
  /** A folder that goes when the run is over. */
  readonly temporary: string
  /** A project with the packed library installed in it. */
  readonly project: () => Promise<string>
  readonly browser: () => Promise<Browser>
  readonly close: () => Promise<void>
}

export function openLab(root: string, temporary: string): Lab {
  let project: Promise<string> | undefined
  let browser: Promise<Browser> | undefined
  return {
    root,
    temporary,
    project: () => (project ??= pack(root, temporary)),
    browser: () => (browser ??= launch()),
    close: async () => {
      await (await browser?.catch(() => undefined))?.close()
    },
  }
}

/** Starts Chromium: that of `CHROMIUM`, or the system's. */
async function launch(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
  if (!existsSync(executablePath)) {
    throw new Skipped(`there is no ${executablePath}: set CHROMIUM to the path of a Chromium`)
  }
  return chromium.launch({
    executablePath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
