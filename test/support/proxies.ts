/** nginx, Caddy and HAProxy as tests run them: the programs of the machine, with the files of `docs/deploy` in which only places are replaced. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { Effect } from "effect"
import { freePort } from "../../src/integrations/web/FreePort.ts"
import { certificate, privateKey } from "./certificate.ts"
import { eventually } from "./eventually.ts"
import { temporaryFolder } from "./folder.ts"
import "./systemPrograms.ts"

/** What a file of `docs/deploy` names differently in a test. */
interface Places {
  /** The proxy's own files. It has `certificate.pem`, `key.pem` and `all.pem`. */
  readonly folder: string
  readonly tlsPort: number
  readonly plainPort: number
  readonly adminPort: number
  readonly parleyPort: number
}

/** Texts of the file and what stands in their place. Each must occur. */
type Replacements = ReadonlyArray<readonly [text: string, replacement: string]>

interface Command {
  readonly program: string
  readonly args: ReadonlyArray<string>
}

export interface ProxyKind {
  readonly name: "nginx" | "Caddy" | "HAProxy"
  readonly program: string
  /** The option that prints the version. */
  readonly versionOption: string
  /** In `docs/deploy`. */
  readonly file: string
  readonly replaced: (places: Places, version: Version) => Replacements
  readonly run: (file: string) => Command
  /** Makes a running proxy read its file again. */
  readonly reload: (file: string) => NodeJS.Signals | Command
  /** Whether even requests that are no valid HTTP get an error as JSON. */
  readonly malformedGetJson: boolean
  /** Whether it refuses large bodies itself, by their head. The others leave that to Parley. */
  readonly limitsBodies: boolean
  /** Whether clients may speak HTTP/1.0. */
  readonly takesOldClients: boolean
  /** Whether calls outlast a reload with this version. */
  readonly keepsCalls: (version: Version) => boolean
}

/** Major and minor. */
type Version = readonly [number, number]

const before = ([major, minor]: Version, [otherMajor, otherMinor]: Version) =>
  major < otherMajor || (major === otherMajor && minor < otherMinor)

const exampleHost = "voice.example.com"
const exampleFolder = `/etc/ssl/${exampleHost}`

const nginx: ProxyKind = {
  name: "nginx",
  program: "nginx",
  versionOption: "-v",
  file: "nginx.conf",
  replaced: ({ folder, tlsPort, plainPort, parleyPort }) => [
    // As root nginx would change to this user, who may not read the test's folder.
    ["user www-data;", process.getuid?.() === 0 ? "user root;" : ""],
    ["/run/nginx.pid", join(folder, "nginx.pid")],
    ["/var/log/nginx/", `${folder}/`],
    [
      "http {",
      `http { ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${join(folder, kind)};`).join(" ")}`
    ],
    ["listen 80;", `listen 127.0.0.1:${plainPort};`],
    ["listen 443 ", `listen 127.0.0.1:${tlsPort} `],
    [`${exampleFolder}/fullchain.pem`, join(folder, "certificate.pem")],
    [`${exampleFolder}/privkey.pem`, join(folder, "key.pem")],
    ["127.0.0.1:8080", `127.0.0.1:${parleyPort}`],
    // The tests' service has the sound inside.
    ["127.0.0.1:8081", `127.0.0.1:${parleyPort}`],
    [exampleHost, "localhost"]
  ],
  run: (file) => ({ program: "nginx", args: ["-e", "stderr", "-g", "daemon off;", "-c", file] }),
  reload: () => "SIGHUP",
  malformedGetJson: true,
  limitsBodies: true,
  takesOldClients: true,
  keepsCalls: () => true
}

const caddy: ProxyKind = {
  name: "Caddy",
  program: "caddy",
  versionOption: "version",
  file: "Caddyfile",
  replaced: ({ folder, tlsPort, plainPort, adminPort, parleyPort }, version) => [
    ["admin 127.0.0.1:2019", `admin 127.0.0.1:${adminPort}`],
    ["http_port 80", `http_port ${plainPort}`],
    ["https_port 443", `https_port ${tlsPort}`],
    [`${exampleFolder}/fullchain.pem`, join(folder, "certificate.pem")],
    [`${exampleFolder}/privkey.pem`, join(folder, "key.pem")],
    ["127.0.0.1:8080", `127.0.0.1:${parleyPort}`],
    // The tests' service has the sound inside.
    ["127.0.0.1:8081", `127.0.0.1:${parleyPort}`],
    [exampleHost, "localhost"],
    ...(before(version, [2, 7]) ? [["stream_close_delay 4h # from 2.7 on", ""] as const] : [])
  ],
  run: (file) => ({ program: "caddy", args: ["run", "--adapter", "caddyfile", "--config", file] }),
  reload: (file) => ({ program: "caddy", args: ["reload", "--force", "--adapter", "caddyfile", "--config", file] }),
  malformedGetJson: false,
  limitsBodies: false,
  takesOldClients: true,
  keepsCalls: (version) => !before(version, [2, 7])
}

const haproxy: ProxyKind = {
  name: "HAProxy",
  program: "haproxy",
  versionOption: "-v",
  file: "haproxy.cfg",
  replaced: ({ folder, tlsPort, plainPort, parleyPort }) => [
    // Only root may change to these.
    ["maxconn 20000", "maxconn 200"],
    ["    user haproxy\n    group haproxy\n", ""],
    ["bind :80", `bind 127.0.0.1:${plainPort}`],
    ["bind :443 ", `bind 127.0.0.1:${tlsPort} `],
    [`${exampleFolder}/all.pem`, join(folder, "all.pem")],
    ["127.0.0.1:8080", `127.0.0.1:${parleyPort}`],
    // The tests' service has the sound inside.
    ["127.0.0.1:8081", `127.0.0.1:${parleyPort}`],
    [exampleHost, "localhost"]
  ],
  run: (file) => ({ program: "haproxy", args: ["-W", "-db", "-f", file] }),
  reload: () => "SIGUSR2",
  malformedGetJson: false,
  limitsBodies: false,
  takesOldClients: false,
  keepsCalls: () => true
}

export const proxyKinds: ReadonlyArray<ProxyKind> = [nginx, caddy, haproxy]

/** The installed version; undefined when the program is not installed. */
export const versionOf = ({ program, versionOption }: ProxyKind): Version | undefined => {
  const { stdout, stderr, status } = spawnSync(program, [versionOption], { encoding: "utf8" })
  if (status !== 0) return undefined
  const [, major, minor] = /(\d+)\.(\d+)/.exec(stdout + stderr) ?? []
  return major === undefined ? undefined : [Number(major), Number(minor)]
}

/** The file of `docs/deploy` with the test's places. Throws when the file lacks a text that is to be replaced. */
const fileFor = (kind: ProxyKind, places: Places, version: Version): string =>
  kind.replaced(places, version).reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`docs/deploy/${kind.file} has no "${from}"`)
      return text.replaceAll(from, to)
    },
    readFileSync(resolve(import.meta.dirname, "../../docs/deploy", kind.file), "utf8")
  )

const ended = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise<void>((done) => child.once("exit", () => done()))

export interface Proxy {
  readonly name: string
  /** `https://localhost:…` */
  readonly url: string
  readonly tlsPort: number
  /** What it has written so far. */
  readonly log: () => string
  readonly reload: () => Promise<void>
}

/** Starts a proxy in front of a service that listens on `parleyPort` of loopback, or would. Lives as long as the scope. */
export const startProxy = Effect.fn("startProxy")(function* (kind: ProxyKind, parleyPort: number) {
  const version = versionOf(kind)
  if (version === undefined) return yield* Effect.die(new Error(`${kind.program} is not installed`))
  const folder = yield* temporaryFolder(kind.program)
  const ports = yield* Effect.promise(async () => ({
    tlsPort: await freePort(),
    plainPort: await freePort(),
    adminPort: await freePort()
  }))
  const { tlsPort } = ports
  writeFileSync(join(folder, "certificate.pem"), `${certificate}\n`)
  writeFileSync(join(folder, "key.pem"), `${privateKey}\n`)
  writeFileSync(join(folder, "all.pem"), `${certificate}\n${privateKey}\n`)
  const file = join(folder, kind.file)
  writeFileSync(file, fileFor(kind, { folder, parleyPort, ...ports }, version))
  // Caddy keeps files of its own there.
  const options = { env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder } }
  const { program, args } = kind.run(file)
  const output: Array<string> = []
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const started = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] })
      for (const stream of [started.stdout, started.stderr])
        stream.on("data", (chunk: Buffer) => output.push(chunk.toString()))
      return started
    }),
    (running) =>
      Effect.promise(async () => {
        running.kill("SIGTERM")
        // Caddy waits for its clients.
        const patience = setTimeout(() => running.kill("SIGKILL"), 1_000)
        await ended(running)
        clearTimeout(patience)
      })
  )
  const url = `https://localhost:${tlsPort}`
  const state = yield* eventually(`${kind.name} answers`, async () => {
    if (child.exitCode !== null) return "ended"
    return (await fetch(`${url}/healthz`)).status > 0 && "ready"
  })
  if (state === "ended") return yield* Effect.die(new Error(`${program} ended:\n${output.join("")}`))
  const proxy: Proxy = {
    name: kind.name,
    url,
    tlsPort,
    log: () => output.join(""),
    reload: async () => {
      const how = kind.reload(file)
      if (typeof how === "string") child.kill(how)
      else execFileSync(how.program, how.args, { ...options, stdio: "ignore" })
    }
  }
  return proxy
})
