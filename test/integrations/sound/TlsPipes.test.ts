/** Pipes between machines, over real sockets: who is let in, what a stranger can do, and certificates that are renewed. */
import { mkdtempSync, rmSync } from "node:fs"
import { connect as connectPlain, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type ConnectionOptions, connect as connectTls } from "node:tls"
import { afterEach, describe, expect, it } from "vitest"
import { CertificatesUnusable, readCertificates } from "../../../src/integrations/sound/LinkCertificates.ts"
import type { Pipe } from "../../../src/integrations/sound/SocketPipes.ts"
import { keepConnectedByTls, listenByTls, mostUnproved } from "../../../src/integrations/sound/TlsPipes.ts"
import { type Issued, makeAuthority, writeIssued } from "../../support/authority.ts"
import { comesAbout } from "../../support/eventually.ts"

const host = "127.0.0.1"
const engineName = "engine.parley.internal"
const operator = makeAuthority()
const ofSound = operator.issue({ names: [host, "media.parley.internal"] })
const ofEngine = operator.issue({ names: [engineName] })
const greeting = Buffer.from("greeting")

const endings: Array<() => void> = []
const atEnd = (end: () => void) => void endings.push(end)
afterEach(() => {
  for (const end of endings.splice(0).reverse()) end()
})

const folder = () => {
  const path = mkdtempSync(join(tmpdir(), "parley-tls-"))
  atEnd(() => rmSync(path, { recursive: true, force: true }))
  return path
}
const filesOf = (issued: Issued) => writeIssued(folder(), "one", issued)
const readAgainMs = 20

interface Warning {
  readonly sentence: string
  readonly cause: unknown
}
const warnings = () => {
  const told: Array<Warning> = []
  const warn = (sentence: string, fields: Readonly<Record<string, unknown>>) =>
    void told.push({ sentence, cause: fields.cause })
  return { told, warn, causes: () => told.map(({ cause }) => cause) }
}

/** A side that greets each connection, and gives back what it is sent. */
const startSound = async (issued: Issued = ofSound, files = filesOf(issued)) => {
  const { told, warn, causes } = warnings()
  const pipes = new Set<Pipe>()
  const listener = await listenByTls(
    { host, port: 0, files, names: ["other.example", engineName], warn, readAgainMs },
    (pipe) => {
      pipes.add(pipe)
      pipe.write(greeting)
      return {
        receive: (bytes) => void pipe.write(bytes),
        drained: () => undefined,
        closed: () => void pipes.delete(pipe)
      }
    }
  )
  atEnd(() => {
    listener.stop()
    for (const pipe of pipes) pipe.close()
  })
  return { ...listener, pipes, told, causes }
}

/** A side that keeps connected, and what it has received. */
const startEngine = (port: number, issued: Issued = ofEngine, files = filesOf(issued)) => {
  const { told, warn, causes } = warnings()
  const log: Array<string> = []
  let pipe: Pipe | undefined
  const stop = keepConnectedByTls({ host, port, files, warn, readAgainMs }, (opened) => {
    pipe = opened
    log.push("opened")
    return {
      receive: (bytes) => void log.push(Buffer.from(bytes).toString()),
      drained: () => undefined,
      closed: () => void log.push("closed")
    }
  })
  atEnd(stop)
  const opened = () => comesAbout("the pipe is there", () => log.includes("opened") && log.includes("greeting"))
  return { log, told, causes, opened, stop, write: (text: string) => pipe?.write(Buffer.from(text)) }
}

const closes = (socket: Socket) =>
  new Promise<void>((resolve) => {
    socket.on("error", () => undefined)
    socket.once("close", () => resolve())
    socket.resume()
  })
const stranger = (port: number) => {
  const socket = connectPlain(port, host)
  socket.on("error", () => undefined)
  atEnd(() => socket.destroy())
  return socket
}
/** A client of TLS that checks nothing, and hears whether it was let in. */
const tlsClient = async (port: number, options: ConnectionOptions) => {
  const socket = connectTls({ host, port, rejectUnauthorized: false, ...options })
  atEnd(() => void socket.destroy())
  let heard = ""
  socket.on("data", (bytes: Buffer) => {
    heard += bytes.toString()
    socket.destroy()
  })
  await closes(socket)
  return heard
}

describe("a pipe between machines", () => {
  it("is there when both have a certificate of the operator's, and carries bytes both ways in their order", async () => {
    const sound = await startSound()
    const engine = startEngine(sound.port)
    await engine.opened()
    const long = "x".repeat(3_000_000)
    engine.write("one ")
    engine.write(long)
    engine.write("two")
    await comesAbout("all came back", () => engine.log.slice(2).join("").length === long.length + 7)
    expect(engine.log.slice(2).join("")).toBe(`one ${long}two`)
    expect([...sound.causes(), ...engine.causes()]).toEqual([])
  })

  it("is opened again when it was lost", async () => {
    const sound = await startSound()
    const engine = startEngine(sound.port)
    await engine.opened()
    for (const pipe of sound.pipes) pipe.close()
    await comesAbout("it is there again", () => engine.log.filter((line) => line === "greeting").length === 2)
    expect(engine.log).toEqual(["opened", "greeting", "closed", "opened", "greeting"])
  })

  const another = makeAuthority("Another")
  const refusals: ReadonlyArray<readonly [string, ConnectionOptions, unknown]> = [
    ["a certificate of another authority", another.issue({ names: [engineName] }), "SELF_SIGNED_CERT_IN_CHAIN"],
    [
      "a certificate of another authority of the same name that is handed along",
      (() => {
        const { cert, key, ca } = makeAuthority().issue({ names: [engineName] })
        return { cert: cert + ca, key }
      })(),
      "CERT_SIGNATURE_FAILURE"
    ],
    ["no certificate", {}, "ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE"],
    ["an expired certificate", operator.issue({ names: [engineName], days: -1 }), "CERT_HAS_EXPIRED"],
    ["a certificate for another name", operator.issue({ names: ["shop.parley.internal"] }), "name"],
    ["the certificate of a process with sound", ofSound, "name"],
    ["an older version of TLS", { ...ofEngine, maxVersion: "TLSv1.2" }, "ERR_SSL_UNSUPPORTED_PROTOCOL"]
  ]
  it.each(
    refusals
  )("is refused to a client with %s, which hears nothing; the log says why, once", async (_, options, cause) => {
    const sound = await startSound()
    const engine = startEngine(sound.port)
    await engine.opened()
    for (let times = 0; times < 3; times++) expect(await tlsClient(sound.port, options)).toBe("")
    await comesAbout("it is in the log", () => sound.told.length > 0)
    expect(sound.told).toEqual([{ sentence: "a connection of another machine was refused", cause }])
    expect(sound.pipes.size).toBe(1)
    expect(engine.log).toEqual(["opened", "greeting"])
  })

  const impostors: ReadonlyArray<readonly [string, () => Issued, unknown]> = [
    ["a certificate of another authority", () => another.issue({ names: [host] }), "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
    [
      "a certificate that has expired meanwhile",
      () => operator.issue({ names: [host], days: 2 / (24 * 60 * 60) }),
      "CERT_HAS_EXPIRED"
    ],
    ["a certificate for another host", () => operator.issue({ names: [engineName] }), "ERR_TLS_CERT_ALTNAME_INVALID"]
  ]
  it.each(
    impostors
  )("is refused by a client when the other side has %s; the log says why, once", async (_, issue, cause) => {
    const sound = await startSound({ ...issue(), ca: operator.ca })
    if (cause === "CERT_HAS_EXPIRED") await new Promise((resolve) => setTimeout(resolve, 2_000))
    const engine = startEngine(sound.port)
    await comesAbout("it was tried more than once", () => sound.pipes.size === 0 && engine.causes().length > 0)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(engine.causes()).toEqual([cause])
    expect(engine.log).toEqual([])
  })

  it("is no pipe for a client that was refused after its handshake, and is not asked for without pause", async () => {
    const sound = await startSound()
    let attempts = 0
    const proxy = createServer((client) => {
      attempts++
      const upstream = connectPlain(sound.port, host)
      for (const [one, other] of [
        [client, upstream],
        [upstream, client]
      ] as const)
        one
          .on("error", () => other.destroy())
          .on("close", () => other.destroy())
          .pipe(other)
    })
    await new Promise<void>((resolve) => void proxy.listen(0, host, resolve))
    atEnd(() => proxy.close())
    const address = proxy.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const engine = startEngine(port, operator.issue({ names: ["shop.parley.internal"] }))
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(engine.log).toEqual([])
    expect(engine.causes()).toHaveLength(1)
    expect(attempts).toBeGreaterThan(1)
    expect(attempts).toBeLessThan(10)
  })
})

describe("who listens for pipes between machines", () => {
  it("closes a connection that sends anything else than TLS, or an endless greeting", async () => {
    const sound = await startSound()
    const engine = startEngine(sound.port)
    await engine.opened()
    const ofHandshake = Buffer.alloc(64 * 1_024)
    // Records of a handshake of 16 KB each, whose message says that it has 16 MB.
    for (let at = 0; at + 5 + 16_384 <= ofHandshake.length; at += 5 + 16_384) ofHandshake.set([22, 3, 1, 64, 0], at)
    ofHandshake.set([1, 255, 255, 255], 5)
    for (const bytes of [Buffer.from("GET / HTTP/1.1\r\n\r\n"), Buffer.alloc(100_000, 0xff), ofHandshake]) {
      const socket = stranger(sound.port)
      socket.write(bytes)
      await closes(socket)
    }
    expect(sound.pipes.size).toBe(1)
    engine.write("still there")
    await comesAbout("an answer", () => engine.log.includes("still there"))
  })

  it("closes a connection that has not proved who it is within 5 s", async () => {
    const sound = await startSound()
    const from = performance.now()
    const [silent, slow] = [stranger(sound.port), stranger(sound.port)]
    const dripping = setInterval(() => slow.write(Buffer.from([22])), 500)
    atEnd(() => clearInterval(dripping))
    await Promise.all([closes(silent), closes(slow)])
    expect(performance.now() - from).toBeGreaterThan(400)
    expect(performance.now() - from).toBeLessThan(15_000)
    expect(sound.causes()).toContain("ERR_TLS_HANDSHAKE_TIMEOUT")
  })

  it("has a bounded number of connections that have not proved who they are: the oldest goes, and engines come in", async () => {
    const sound = await startSound()
    const first = startEngine(sound.port)
    await first.opened()
    const strangers = Array.from({ length: mostUnproved }, () => stranger(sound.port))
    await Promise.all(
      strangers.map((socket) => new Promise<void>((resolve) => socket.once("connect", () => resolve())))
    )
    let closed = 0
    for (const socket of strangers) void closes(socket).then(() => closed++)
    const second = startEngine(sound.port)
    await second.opened()
    await comesAbout("room was made", () => closed === 1)
    expect(sound.pipes.size).toBe(2)
    expect(first.log).toEqual(["opened", "greeting"])
  })

  it("takes a renewed certificate, and lets go of nobody for it; who connects reads its own again", async () => {
    const next = makeAuthority("Next")
    const both = operator.ca + next.ca
    const [soundFolder, engineFolder] = [folder(), folder()]
    const sound = await startSound(ofSound, writeIssued(soundFolder, "sound", { ...ofSound, ca: both }))
    const engine = startEngine(sound.port, ofEngine, writeIssued(engineFolder, "engine", { ...ofEngine, ca: both }))
    const left = startEngine(sound.port)
    await Promise.all([engine.opened(), left.opened()])
    // Half of a renewal is not taken.
    const renewed = next.issue({ names: [engineName] })
    writeIssued(engineFolder, "engine", { ...ofEngine, cert: renewed.cert, ca: next.ca })
    await comesAbout("it is told", () => engine.told.length === 1)
    writeIssued(engineFolder, "engine", renewed)
    writeIssued(soundFolder, "sound", next.issue({ names: [host] }))
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(sound.pipes.size).toBe(2)
    for (const pipe of sound.pipes) pipe.close()
    await comesAbout("the renewed one is there again", () => engine.log.length === 5)
    await comesAbout("the other one refuses the new authority", () => left.causes().length > 0)
    expect(engine.log.at(-1)).toBe("greeting")
    expect(left.log).toEqual(["opened", "greeting", "closed"])
  })

  it("rejects an address that cannot be used", async () => {
    const sound = await startSound()
    await expect(
      listenByTls({ host, port: sound.port, files: filesOf(ofSound), names: [], warn: () => undefined }, () => {
        throw new Error("nobody connects")
      })
    ).rejects.toThrow("EADDRINUSE")
  })
})

describe("certificates that cannot be used", () => {
  const problems: ReadonlyArray<readonly [string, Issued, RegExp]> = [
    [
      "have expired",
      operator.issue({ names: [host], days: -1 }),
      /^The certificate in .*cert\.pem has expired \(.*\)\.$/
    ],
    ["are no certificates", { ...ofEngine, cert: "certificate" }, /cert\.pem has no certificate \(PEM\)\.$/],
    ["have no authority", { ...ofEngine, ca: "" }, /ca\.pem has no certificate \(PEM\)\.$/],
    ["have no key", { ...ofEngine, key: "key" }, /key\.pem has no private key \(PEM, without a passphrase\)\.$/],
    ["have another key", { ...ofEngine, key: ofSound.key }, /^The key in .*key\.pem is not that of the certificate in /]
  ]
  it.each(problems)("because they %s are told in a sentence that names the file", (_, issued, sentence) => {
    const files = writeIssued(folder(), "bad", issued)
    expect(() => readCertificates(files)).toThrow(CertificatesUnusable)
    expect(() => readCertificates(files)).toThrow(sentence)
  })

  it("because a file is missing are told by its path", () => {
    const files = { ...writeIssued(folder(), "bad", ofEngine), key: "/nowhere/key.pem" }
    expect(() => readCertificates(files)).toThrow(/^\/nowhere\/key\.pem cannot be read: /)
  })
})
