/**
 * Streams of bytes between machines: TLS 1.3, with a certificate on each side that the operator's authority has issued. Who connects checks that the other's
 * certificate is for the host of its address; who listens, that it is for one of the names that it was given. Nothing is taken before that.
 */
import { constants } from "node:crypto"
import type { Socket } from "node:net"
import { checkServerIdentity, connect, createServer, type TLSSocket } from "node:tls"
import { LogLimit } from "../../domain/basics/limits/LogLimit.ts"
import { type CertificateFiles, type CertificateTexts, LinkCertificates } from "./LinkCertificates.ts"
import { joinPipe, keepConnecting, type PipeOpened, speaksWithinMs } from "./SocketPipes.ts"

/** Connections that have not proved who they are: so many, for so long. With one more, the oldest is closed. */
export const mostUnproved = 64
const provedWithinMs = speaksWithinMs

/** A machine that is gone without a word is noticed by the system then, and by the link itself before that. Milliseconds. */
const keepAliveMs = 5_000

/** So many causes are told apart in the log. There are fewer, unless somebody plays with them. */
const mostCauses = 100

type Warn = (sentence: string, fields: Readonly<Record<string, unknown>>) => void

/** One end of pipes: the address of whoever listens, and what this end shows. */
export interface TlsEnd {
  readonly host: string
  readonly port: number
  readonly files: CertificateFiles
  readonly warn: Warn
  /** How often the files are read again; 10 s by default. Milliseconds. */
  readonly readAgainMs?: number
}

const tls13 = (texts: CertificateTexts) =>
  ({
    ...texts,
    minVersion: "TLSv1.3",
    maxVersion: "TLSv1.3",
    // Each connection shows its certificate: none is taken because of an earlier one.
    secureOptions: constants.SSL_OP_NO_TICKET
  }) as const

const causeOf = (error: Error): string => ("code" in error && typeof error.code === "string" ? error.code : error.name)

/** Writes one line a minute for each cause: connections are tried again and again. */
const eachCauseOnce = (warn: Warn): ((sentence: string, cause: string, fields: object) => void) => {
  const limits = new Map<string, LogLimit>()
  return (sentence, cause, fields) => {
    const kind = limits.has(cause) || limits.size < mostCauses ? cause : "another"
    const limit = limits.get(kind) ?? new LogLimit(1)
    limits.set(kind, limit)
    const more = limit.take(Date.now())
    if (more !== undefined) warn(sentence, { cause, ...fields, ...more })
  }
}

/** Connects, and again when the connection is lost, until the returned function is called. Throws CertificatesUnusable. */
export const keepConnectedByTls = ({ host, port, files, ...options }: TlsEnd, opened: PipeOpened): (() => void) => {
  const tell = eachCauseOnce(options.warn)
  const certificates = new LinkCertificates(files, options)
  const disconnect = keepConnecting(
    () => {
      const socket = connect({ ...tls13(certificates.current), host, port })
      socket.setNoDelay(true)
      socket.setKeepAlive(true, keepAliveMs)
      return socket
    },
    opened,
    (error) => tell("a link to another machine cannot be opened", causeOf(error), { host, port, reason: error.message })
  )
  return () => {
    disconnect()
    certificates.close()
  }
}

export interface TlsListenOptions extends TlsEnd {
  /** The names of those who may connect: a certificate must be for one of them. */
  readonly names: ReadonlyArray<string>
}

export interface TlsListener {
  readonly port: number
  /** No more connections are taken; those that are there go on. */
  readonly stop: () => void
}

/** Where a connection comes from: no other has the same. */
const originOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`

/** Listens. Rejects when the address cannot be used, or the certificates cannot (CertificatesUnusable). */
export const listenByTls = (
  { host, port, files, names, ...options }: TlsListenOptions,
  opened: PipeOpened
): Promise<TlsListener> =>
  new Promise((resolve, reject) => {
    const tell = eachCauseOnce(options.warn)
    // The next connections see what was renewed.
    const changed = (texts: CertificateTexts) => server.setSecureContext(tls13(texts))
    const certificates = new LinkCertificates(files, { ...options, changed })
    const refused = (cause: string, address: string | undefined, reason: string) =>
      tell("a connection of another machine was refused", cause, { address, reason })
    const unproved = new Map<string, Socket>()
    const proved = (socket: TLSSocket) => {
      unproved.delete(originOf(socket))
      // Each error is followed by "close".
      socket.on("error", () => undefined)
      const certificate = socket.getPeerCertificate()
      const problems = names.map((name) => checkServerIdentity(name, certificate))
      if (!problems.includes(undefined)) {
        refused("name", socket.remoteAddress, `its certificate is for none of ${names.join(", ")}`)
        socket.destroy()
        return
      }
      socket.setNoDelay(true)
      socket.setKeepAlive(true, keepAliveMs)
      joinPipe(socket, opened)
    }
    const server = createServer(
      {
        ...tls13(certificates.current),
        requestCert: true,
        rejectUnauthorized: true,
        handshakeTimeout: provedWithinMs
      },
      proved
    )
    server.on("connection", (socket: Socket) => {
      const origin = originOf(socket)
      unproved.set(origin, socket)
      socket.once("close", () => {
        if (unproved.get(origin) === socket) unproved.delete(origin)
      })
      const [oldest] = unproved.size > mostUnproved ? unproved : []
      if (oldest === undefined) return
      unproved.delete(oldest[0])
      oldest[1].destroy()
    })
    server.on("tlsClientError", (error, socket) => {
      // Of a certificate that is not good the library says why at the socket, and ends it without a reason.
      refused(String(socket.authorizationError ?? causeOf(error)), socket.remoteAddress, error.message)
      socket.destroy()
    })
    server.once("error", (cause) => {
      certificates.close()
      reject(cause)
    })
    server.listen(port, host, () => {
      const address = server.address()
      resolve({
        port: typeof address === "object" && address !== null ? address.port : port,
        stop: () => {
          certificates.close()
          server.close()
        }
      })
    })
  })
