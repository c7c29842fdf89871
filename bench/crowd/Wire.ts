/**
 * The client's end of a WebSocket, made for thousands of them in one process: text frames only, one write for each message, one read buffer
 * for all. (The mask is zero, which the protocol allows, so a message is sent as it stands.)
 */
import { randomBytes } from "node:crypto"
import { connect, type Socket } from "node:net"
import { connect as connectSecurely } from "node:tls"

export interface WireOptions {
  readonly host: string
  readonly port: number
  /** Over TLS; not when left out. */
  readonly secure?: boolean
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** A text message: `bytes` from `from` to `to`, to be read at once and not kept. */
  readonly onText: (bytes: Buffer, from: number, to: number) => void
  /** The other side has closed, or the connection is lost. */
  readonly onClosed: () => void
}

const opcodes = { text: 1, close: 8, ping: 9, pong: 10 } as const
const shared = Buffer.alloc(256 * 1_024)
const closeFrame = Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8])

/** A masked frame with a mask of zeros. */
const frame = (opcode: number, text: string): Buffer => {
  const { length } = text
  const head = length < 126 ? 6 : 8
  const bytes = Buffer.allocUnsafe(head + length)
  bytes[0] = 0x80 | opcode
  if (length < 126) bytes[1] = 0x80 | length
  else {
    bytes[1] = 0x80 | 126
    bytes.writeUInt16BE(length, 2)
  }
  bytes.writeUInt32LE(0, head - 4)
  bytes.write(text, head, "latin1")
  return bytes
}

export class Wire {
  readonly #socket: Socket
  readonly #options: WireOptions
  #rest: Buffer | undefined
  #upgraded = false
  #closed = false
  #opened: ((error: Error | undefined) => void) | undefined

  private constructor(options: WireOptions, opened: (error: Error | undefined) => void) {
    this.#options = options
    this.#opened = opened
    const { host, port, path, headers, secure = false } = options
    const onread = {
      buffer: shared,
      callback: (count: number) => {
        this.#read(shared.subarray(0, count))
        return true
      }
    }
    if (secure)
      this.#socket = connectSecurely({ host, port, servername: host }).on("data", (bytes) => this.#read(bytes))
    else this.#socket = connect({ host, port, noDelay: true, onread })
    this.#socket.on(secure ? "secureConnect" : "connect", () => {
      const all = { Host: `${host}:${port}`, Upgrade: "websocket", Connection: "Upgrade", ...headers }
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
      const key = randomBytes(16).toString("base64")
      this.#socket.write(
        `GET ${path} HTTP/1.1\r\n${lines.join("")}Sec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`
      )
    })
    // A lost connection is heard of through `close` as well.
    this.#socket.on("error", (error) => this.#settle(error))
    this.#socket.on("close", () => this.#lost())
  }

  /** Rejects when the upgrade is refused. */
  static open(options: WireOptions): Promise<Wire> {
    return new Promise((resolve, reject) => {
      const wire: Wire = new Wire(options, (error) => (error === undefined ? resolve(wire) : reject(error)))
    })
  }

  /** One text message of Latin characters. */
  send(text: string): void {
    if (!this.#closed) this.#socket.write(frame(opcodes.text, text))
  }

  /** Says goodbye, then lets go. `onClosed` is not called. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#socket.end(closeFrame)
  }

  /** The connection is lost without a word. `onClosed` is not called. */
  cut(): void {
    this.#closed = true
    this.#socket.resetAndDestroy()
  }

  #settle(error: Error | undefined): void {
    const opened = this.#opened
    this.#opened = undefined
    opened?.(error)
  }

  #lost(): void {
    this.#settle(new Error("the connection was closed"))
    if (this.#closed) return
    this.#closed = true
    this.#options.onClosed()
  }

  #read(fresh: Buffer): void {
    const bytes = this.#rest === undefined ? fresh : Buffer.concat([this.#rest, fresh])
    this.#rest = undefined
    let at = this.#upgraded ? 0 : this.#upgrade(bytes)
    while (at >= 0 && at < bytes.length) {
      const next = this.#frame(bytes, at)
      if (next < 0) break
      at = next
    }
    if (at >= 0 && at < bytes.length) this.#rest = Buffer.from(bytes.subarray(at))
  }

  /** Where the answer to the upgrade ends; -1 when it was refused. */
  #upgrade(bytes: Buffer): number {
    const end = bytes.indexOf("\r\n\r\n")
    if (end < 0) return 0
    if (!bytes.subarray(0, 12).toString("latin1").endsWith(" 101")) {
      this.#settle(new Error(`the upgrade was answered: ${bytes.subarray(0, 40).toString("latin1")}`))
      this.close()
      return -1
    }
    this.#upgraded = true
    this.#settle(undefined)
    return end + 4
  }

  /** Takes the frame at `at`; where the next one begins, -1 when this one is not complete. */
  #frame(bytes: Buffer, at: number): number {
    if (!this.#upgraded || bytes.length - at < 2) return -1
    let length = bytes[at + 1] & 127
    let start = at + 2
    if (length === 126) {
      if (bytes.length - at < 4) return -1
      length = bytes.readUInt16BE(at + 2)
      start = at + 4
    } else if (length === 127) throw new Error("a message of more than 64 KB")
    const end = start + length
    if (end > bytes.length) return -1
    const opcode = bytes[at] & 15
    if (opcode === opcodes.text) this.#options.onText(bytes, start, end)
    else if (opcode === opcodes.close) this.#socket.end()
    else if (opcode === opcodes.ping && !this.#closed)
      this.#socket.write(frame(opcodes.pong, bytes.toString("latin1", start, end)))
    return end
  }
}
