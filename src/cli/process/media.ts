/**
 * `parley media`: a process that holds the provider's streams and the sound of calls, and nothing else. `serve --sound process` starts it, or an operator on
 * a machine of its own. It loads no Effect, no schemas and no clients: what stops a frame is not in it.
 */
// The first import: it sets what the library reads while it is being loaded.
import "../../http/server/HeaderLimit.ts"
import * as Uws from "uWebSockets.js"
import { randomUUID } from "node:crypto"
import { monotonicMs } from "../../actors/voice/sound/Monotonic.ts"
import { SoundHost } from "../../actors/voice/sound/media/SoundHost.ts"
import { messageOf } from "../../domain/basics/ErrorMessage.ts"
import * as MediaSocket from "../../http/media-stream/MediaSocket.ts"
import { Spool } from "../../integrations/recordings/Spool.ts"
import { listenByTls } from "../../integrations/sound/TlsPipes.ts"
import * as UnixPipes from "../../integrations/sound/UnixPipes.ts"
import { type MediaOptions, mediaOptions } from "./mediaOptions.ts"

/** The published types lack these. "silent" leaves out the header that names the library and its version. */
const { _cfg: configure } = Uws as typeof Uws & { readonly _cfg: (option: "silent") => void }
type ListenWithOptions = {
  listen(host: string, port: number, options: number, cb: (socket: Uws.us_listen_socket | false) => void): unknown
}
/** All media processes of a machine share the port: the kernel deals out the streams. */
const sharedPort = 0

const statusEveryMs = 1_000
/** How often a process that is to end looks whether engines are still linked: they end first, once they have said goodbye to their callers. */
const drainedLookMs = 100

const reasons: Readonly<Record<number, string>> = { 403: "403 Forbidden", 404: "404 Not Found" }

const refuseUpgrade = (res: Uws.HttpResponse, status: number, sentence: string): void => {
  res.cork(() => void res.writeStatus(reasons[status] ?? `${status}`).end(sentence, true))
}

/** Writes to the log as the service does: JSON for machines in production, a readable line elsewhere. */
const logger =
  (production: boolean) =>
  (level: "INFO" | "WARN" | "ERROR") =>
  (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
    const timestamp = new Date().toISOString()
    const line = production
      ? JSON.stringify({ message, level, timestamp, annotations: { process: "media", ...fields }, spans: {} })
      : `[${timestamp.slice(11, 23)}] ${level} (media): ${message} ${JSON.stringify(fields)}`
    process.stdout.write(`${line}\n`)
  }

/** Takes the links of engines. Resolves with the function that stops it. */
const listenForEngines = async (
  { socket, door }: MediaOptions,
  sounds: SoundHost,
  warn: (sentence: string, fields?: Readonly<Record<string, unknown>>) => void
): Promise<() => void> => {
  const stops = [
    ...(socket === undefined ? [] : [await UnixPipes.listen(socket, (pipe) => sounds.attach(pipe))]),
    ...(door === undefined ? [] : [(await listenByTls({ ...door, warn }, (pipe) => sounds.attach(pipe))).stop])
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Runs until it is told to stop. Ends the process with a line in the log when it cannot start. */
export const run = (args: ReadonlyArray<string>, production: boolean): Promise<void> =>
  start(args, production).catch((cause: unknown) => {
    logger(production)("ERROR")(messageOf(cause))
    process.exit(1)
  })

const start = async (args: ReadonlyArray<string>, production: boolean): Promise<void> => {
  const options = mediaOptions(args)
  const { host, port, drainSeconds } = options
  const log = logger(production)
  const [info, warn] = [log("INFO"), log("WARN")]

  const sounds = new SoundHost({
    id: randomUUID(),
    now: monotonicMs,
    warn,
    openRecording: (file) => new Spool(file)
  })
  configure("silent")
  const app = Uws.App()
  MediaSocket.register(app, refuseUpgrade, {
    streams: sounds,
    warn,
    ignored: (counts) => info("messages of a media stream were ignored", Object.fromEntries(counts))
  })
  app.any("/*", (res) => void res.writeStatus("404 Not Found").end("", true))
  const listening = await new Promise<Uws.us_listen_socket | false>((resolve) => {
    const withOptions = app as Uws.TemplatedApp & ListenWithOptions
    withOptions.listen(host, port, sharedPort, resolve)
  })
  if (listening === false)
    throw new Error(`cannot listen on ${host}:${port} (in use, or not an address of this machine)`)
  const stopListening = await listenForEngines(options, sounds, warn)
  const status = setInterval(() => sounds.status(), statusEveryMs)

  /** Nobody has started it beside engines. Those of other machines do not end with it: it ends when no call is here, or its time is over. */
  const isAlone = !process.connected
  const isOver = (since: number) =>
    isAlone ? sounds.size === 0 || monotonicMs() - since > drainSeconds * 1_000 : sounds.linked === 0
  let draining = false
  /** Beside engines it ends when they have: they know which calls are still to come to their end. The library's app is closed before the process ends. */
  const drain = () => {
    if (draining) return
    draining = true
    const since = monotonicMs()
    // On a machine of its own streams find another one.
    if (isAlone) Uws.us_listen_socket_close(listening)
    const look = setInterval(() => {
      if (!isOver(since)) return
      clearInterval(look)
      clearInterval(status)
      stopListening()
      sounds.close()
      app.close()
      if (process.connected) process.disconnect()
    }, drainedLookMs)
  }
  // Signals reach the whole group of processes. The supervisor says when the end has come.
  process.on("SIGTERM", drain)
  process.on("SIGINT", drain)
  process.on("message", (message: { readonly type: string }) => {
    if (message.type === "drain" || message.type === "stop") drain()
  })
  process.on("disconnect", drain)
  info("the sound is ready", { host, port })
  process.send?.({ type: "ready" })
}
