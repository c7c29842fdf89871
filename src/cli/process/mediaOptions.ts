/** What `parley media` is started with. */
import { parseArgs } from "node:util"
import type { CertificateFiles } from "../../integrations/sound/LinkCertificates.ts"
import { parseHostAndPort, type TlsAddress } from "../../integrations/sound/TlsAddress.ts"

/** Where engines of other machines come to. */
export interface EngineDoor extends TlsAddress {
  readonly files: CertificateFiles
  /** The names of engines: their certificates are for one of them. */
  readonly names: ReadonlyArray<string>
}

export interface MediaOptions {
  /** Where streams come to. */
  readonly host: string
  readonly port: number
  /** Where engines of this machine come to. */
  readonly socket: string | undefined
  readonly door: EngineDoor | undefined
  /** How long calls may go on after the process was asked to stop. Seconds. */
  readonly drainSeconds: number
}

const options = {
  host: { type: "string", default: "127.0.0.1" },
  port: { type: "string" },
  socket: { type: "string" },
  listen: { type: "string" },
  cert: { type: "string" },
  key: { type: "string" },
  ca: { type: "string" },
  engines: { type: "string" },
  "drain-seconds": { type: "string", default: "300" }
} as const

const wholeNumber = (name: string, text: string | undefined, most: number): number => {
  const value = Number(text)
  if (text === undefined || !/^\d+$/.test(text) || value > most)
    throw new Error(`--${name} must be a number up to ${most}.`)
  return value
}

/** Throws an error with a sentence for users. */
export const mediaOptions = (args: ReadonlyArray<string>): MediaOptions => {
  const { values } = parseArgs({ args: [...args], options })
  const { host, socket, listen, cert, key, ca, engines } = values
  if (socket === undefined && listen === undefined)
    throw new Error(
      "parley media needs --listen host:port, where engines of other machines come to. With --socket it is started by serve --sound process."
    )
  const common = {
    host,
    port: wholeNumber("port", values.port, 65_535),
    socket,
    drainSeconds: wholeNumber("drain-seconds", values["drain-seconds"], 86_400)
  }
  if (listen === undefined) return { ...common, door: undefined }
  const address = parseHostAndPort(listen)
  if (address === undefined) throw new Error(`--listen must look like 10.0.0.5:8443, not ${listen}.`)
  const names = (engines ?? "").split(",").filter((name) => name !== "")
  if (cert === undefined || key === undefined || ca === undefined || names.length === 0)
    throw new Error(
      "--listen needs --cert, --key and --ca (PEM files), and --engines: the names for which certificates of engines are, e.g. engine.parley.internal."
    )
  return { ...common, door: { ...address, files: { cert, key, ca }, names } }
}
