/** nginx and Caddy, each with the configuration that docs/proxies.md shows. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { killed } from '../live/processes.ts'
import { freePort } from '../redis/server.ts'
import { Skipped } from '../step.ts'

export interface RunningProxy {
  readonly url: string
  /** Its certificate, which is its own authority. */
  readonly certificate: Buffer
  kill(): Promise<void>
}

export interface ProxyOptions {
  readonly temporary: string
  /** The port of the server behind it. */
  readonly target: number
  /** Lines of its configuration that are replaced. */
  readonly replace?: Readonly<Record<string, string>>
}

type Start = (options: ProxyOptions) => Promise<RunningProxy>

export const proxies: Readonly<Record<'nginx' | 'Caddy', Start>> = { nginx: startNginx, Caddy: startCaddy }

async function startNginx({ temporary, target, replace }: ProxyOptions): Promise<RunningProxy> {
  requireProgram('nginx', ['-v'])
  const { folder, key, certificate } = certified(temporary, 'nginx')
  const port = await freePort()
  const site = replaced(readFileSync('examples/proxies/nginx.conf', 'utf8'), {
    'listen 443': `listen 127.0.0.1:${port}`,
    'server_name example.com': 'server_name localhost',
    '/etc/ssl/example.com.pem': certificate,
    '/etc/ssl/example.com.key': key,
    '127.0.0.1:3000': `127.0.0.1:${target}`,
    ...replace,
  })
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const config = join(folder, 'nginx.conf')
  writeFileSync(
    config,
    `daemon off;\nworker_processes 1;\npid ${folder}/pid;\nevents {}\nhttp {\naccess_log off;\n${paths.join('\n')}\n${site}}\n`,
  )
  return started('nginx', ['-p', folder, '-e', join(folder, 'error.log'), '-c', config], {
    folder,
    port,
    certificate,
  })
}

async function startCaddy({ temporary, target, replace }: ProxyOptions): Promise<RunningProxy> {
  requireProgram('caddy', ['version'])
  const { folder, key, certificate } = certified(temporary, 'caddy')
  const port = await freePort()
  const site = replaced(readFileSync('examples/proxies/Caddyfile', 'utf8'), {
    'example.com {': `localhost:${port} {\n\ttls ${certificate} ${key}`,
    '127.0.0.1:3000': `127.0.0.1:${target}`,
    ...replace,
  })
  const config = join(folder, 'Caddyfile')
  writeFileSync(config, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`)
  return started('caddy', ['run', '--config', config, '--adapter', 'caddyfile'], {
    folder,
    port,
    certificate,
  })
}

function requireProgram(name: string, args: readonly string[]): void {
  if (spawnSync(name, args).error === undefined) return
  throw new Skipped(`there is no ${name}: install the Debian package of that name`)
}

/** The text with each key replaced. Throws if one does not occur: the configuration has changed. */
function replaced(text: string, replace: Readonly<Record<string, string>>): string {
  return Object.entries(replace).reduce((config, [from, to]) => {
    if (!config.includes(from)) throw new Error(`The configuration has no "${from}".`)
    return config.replace(from, to)
  }, text)
}

interface Certified {
  readonly folder: string
  readonly key: string
  readonly certificate: string
}

/** A folder with a certificate for localhost. */
function certified(temporary: string, name: string): Certified {
  const folder = mkdtempSync(join(temporary, `${name}-`))
  // Workers may run as another user.
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  execFileSync(
    'openssl',
    ['req', '-x509', ...curve, ...subject, '-days', '2', '-keyout', key, '-out', certificate],
    {
      stdio: 'ignore',
    },
  )
  return { folder, key, certificate }
}

async function started(
  file: string,
  args: readonly string[],
  { folder, port, certificate }: { folder: string; port: number; certificate: string },
): Promise<RunningProxy> {
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const child = spawn(file, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`${file} did not start:\n${log}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return {
    url: `https://localhost:${port}`,
    certificate: readFileSync(certificate),
    kill: () => stopped(child),
  }
}

/** Ends a proxy with its workers, which a kill would leave behind. */
async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 3000))])
  await killed(child)
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
