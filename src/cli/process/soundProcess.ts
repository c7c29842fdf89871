/** Starts the processes that hold the sound of calls (`parley media`), as siblings of the engines that think for them. */
import { type ChildProcess, fork } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Option } from "effect"
import { ConfigInvalid } from "../../config/Config.ts"
import type { Settings } from "../../config/Environment.ts"
import { canListen, freePort } from "../../integrations/web/FreePort.ts"
import { mediaPort } from "../../wiring/Addresses.ts"
import type { ToWorker } from "./SupervisedWorker.ts"

/**
 * All processes with sound share a port, and the kernel would let them share it with a stranger, too: each would get some of the other's connections.
 * So it is looked at before the first is started.
 */
export const requireMediaPort = Effect.fnUntraced(function* (settings: Settings) {
  const port = mediaPort(settings)
  if (yield* Effect.promise(() => canListen(settings.host, port))) return
  const message = `MEDIA_PORT ${port} is in use, or not allowed on ${settings.host}. Set MEDIA_PORT to a free port for media streams, or start with --sound inside.`
  return yield* new ConfigInvalid({ message })
})

/** A private folder for so many sockets, and their paths, for the life of the scope. It is short, as the path of a socket must be. */
export const soundSockets = (count: number) =>
  Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "parley-"))),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
  ).pipe(Effect.map((folder) => Array.from({ length: count }, (_, at) => join(folder, `media-${at + 1}.sock`))))

/** A large young generation is for engines: what the sound makes is dead at once. */
const flags = process.execArgv.filter((flag) => !flag.startsWith("--max-semi-space-size"))

/** Starts the process with the sound that listens on this socket. It gets no secrets. */
export const forkSound = (settings: Settings, socket: string): ChildProcess =>
  fork(process.argv[1], ["media", "--host", settings.host, "--port", `${mediaPort(settings)}`, "--socket", socket], {
    execArgv: flags,
    env: { NODE_ENV: settings.environment, MALLOC_ARENA_MAX: "2" }
  })

/** For a service in this process: starts the sound of its calls for the life of the scope, if the settings name a socket, and gives its address. */
export const withSound = Effect.fnUntraced(function* (settings: Settings) {
  const [socket] = settings.mediaSockets
  if (socket === undefined) return settings
  const port = yield* Effect.promise(freePort)
  const own: Settings = {
    ...settings,
    mediaPort: Option.some(port),
    streamUrl: Option.some(`wss://127.0.0.1:${port}/media`)
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      const child = forkSound(own, socket)
      return { child, ended: new Promise((resolve) => child.once("exit", resolve)) }
    }),
    ({ child, ended }) =>
      Effect.promise(() => {
        if (child.connected) child.send({ type: "drain" } satisfies ToWorker)
        return ended
      })
  )
  return own
})
