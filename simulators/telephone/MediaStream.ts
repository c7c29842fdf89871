/** One `<Stream>`: the provider's side of the media WebSocket. */
import { randomBytes } from "node:crypto"
import { performance } from "node:perf_hooks"
import { WebSocket } from "ws"
import { silentPayload } from "./Mulaw.ts"
import { PlayoutBuffer } from "./PlayoutBuffer.ts"
import { sign } from "./Signature.ts"

/** Observes media messages as they pass the socket. `clockMs`: monotonic milliseconds. It must not keep the bytes. */
export interface MediaTap {
  /** 20 ms of the caller, `bytes[at .. at + 160]`, about to be sent. */
  readonly sent?: (bytes: Uint8Array, at: number, clockMs: number) => void
  /** A media message of the engine has come. */
  readonly received?: (clockMs: number) => void
  readonly cleared?: (clockMs: number) => void
}

export interface MediaStreamOptions {
  /** The URL as written in the TwiML, which is signed. */
  readonly url: string
  /** The address that is really dialed. */
  readonly address: string
  readonly accountSid: string
  readonly authToken: string
  readonly callSid: string
  readonly parameters: Readonly<Record<string, string>>
  /** Payload size of inbound media; the provider's own is 160. */
  readonly frameBytes: number
  readonly faults: { readonly loseEvery: number; readonly swapEvery: number; readonly badSignature: boolean }
  readonly tap?: MediaTap | undefined
  readonly onMark: (name: string, echoed: boolean) => void
  readonly onClear: (droppedMs: number) => void
  readonly onWarning: (text: string) => void
  /** The socket is closed; `by` says who closed it. */
  readonly onStopped: (by: "line" | "engine") => void
}

export class MediaStream {
  readonly streamSid = `MZ${randomBytes(16).toString("hex")}`
  readonly playout: PlayoutBuffer
  readonly #options: MediaStreamOptions
  readonly #socket: WebSocket
  #sequence = 0
  #chunk = 0
  #sentBytes = 0
  #rest: Uint8Array = new Uint8Array(0)
  #held: string | undefined
  #full = false
  #stopping = false
  #open = false

  private constructor(options: MediaStreamOptions, socket: WebSocket) {
    this.#options = options
    this.#socket = socket
    this.playout = new PlayoutBuffer((name) => {
      options.onMark(name, true)
      this.#send(`"event":"mark"`, `"mark":${JSON.stringify({ name })}`)
    })
  }

  /** Dials, and resolves once `connected` and `start` are sent. Rejects when the upgrade is refused (error 31920). */
  static open(options: MediaStreamOptions): Promise<MediaStream> {
    const signature = sign(options.faults.badSignature ? "another token" : options.authToken, options.url)
    const socket = new WebSocket(options.address, {
      headers: { "x-twilio-signature": signature },
      perMessageDeflate: false,
      handshakeTimeout: 5_000
    })
    const stream = new MediaStream(options, socket)
    return new Promise((resolve, reject) => {
      socket.on("error", reject)
      socket.on("close", () => {
        if (stream.#open) stream.#closed()
        else reject(new Error("closed before it was open"))
      })
      socket.on("message", (data, binary) => stream.#receive(data.toString(), binary))
      socket.once("open", () => {
        stream.#start()
        resolve(stream)
      })
    })
  }

  #start(): void {
    const { accountSid, callSid, parameters } = this.#options
    this.#open = true
    this.#socket.send('{"event":"connected","protocol":"Call","version":"1.0.0"}')
    const start = {
      accountSid,
      streamSid: this.streamSid,
      callSid,
      tracks: ["inbound"],
      mediaFormat: { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 },
      customParameters: parameters
    }
    this.#send(`"event":"start"`, `"start":${JSON.stringify(start)}`)
  }

  /** Sends 160 bytes of `bytes` at `at` as the next inbound audio, in messages of the chosen size. */
  sendFrame(bytes: Uint8Array, at: number, silent: boolean): void {
    const size = this.#options.frameBytes
    this.#options.tap?.sent?.(bytes, at, performance.now())
    if (size === 160) {
      this.#media(
        silent ? silentPayload : Buffer.from(bytes.buffer, bytes.byteOffset + at, 160).toString("base64"),
        160
      )
      return
    }
    const all = Buffer.concat([this.#rest, bytes.subarray(at, at + 160)])
    let from = 0
    for (; all.length - from >= size; from += size) this.#media(all.toString("base64", from, from + size), size)
    this.#rest = all.subarray(from)
  }

  #media(payload: string, size: number): void {
    this.#chunk++
    this.#sentBytes += size
    const media = `"media":{"track":"inbound","chunk":"${this.#chunk}","timestamp":"${Math.floor(this.#sentBytes / 8)}","payload":"${payload}"}`
    const { loseEvery, swapEvery } = this.#options.faults
    if (loseEvery > 0 && this.#chunk % loseEvery === 0) return
    if (swapEvery > 0 && this.#chunk % swapEvery === 0 && this.#held === undefined) {
      this.#held = media
      return
    }
    this.#send(`"event":"media"`, media)
    if (this.#held === undefined) return
    this.#send(`"event":"media"`, this.#held)
    this.#held = undefined
  }

  dtmf(digit: string): void {
    this.#send(`"event":"dtmf"`, `"dtmf":{"track":"inbound_track","digit":"${digit}"}`)
  }

  /** Sends `stop` and closes the stream: the call ended or goes on elsewhere. */
  stop(): void {
    if (this.#stopping) return
    const { accountSid, callSid } = this.#options
    this.#send(`"event":"stop"`, `"stop":${JSON.stringify({ accountSid, callSid })}`)
    this.#stopping = true
    this.#socket.close(1000)
    // An engine that does not answer the close must not keep the socket.
    const impatience = setTimeout(() => this.#socket.terminate(), 1_000)
    this.#socket.once("close", () => clearTimeout(impatience))
  }

  /** The network fails: no `stop`, no close frame. */
  drop(): void {
    this.#stopping = true
    this.#socket.terminate()
  }

  #send(head: string, tail: string): void {
    if (this.#stopping || this.#socket.readyState !== WebSocket.OPEN) return
    this.#sequence++
    this.#socket.send(`{${head},"sequenceNumber":"${this.#sequence}","streamSid":"${this.streamSid}",${tail}}`)
  }

  #closed(): void {
    this.#options.onStopped(this.#stopping ? "line" : "engine")
    this.#stopping = true
  }

  #receive(text: string, binary: boolean): void {
    if (this.#stopping) return
    const problem = binary ? "binary message" : this.#obey(text)
    if (problem !== undefined) this.#options.onWarning(`31951: ${problem}: ${text.slice(0, 80)}`)
  }

  /** Carries out the engine's message. Returns what is wrong with it, if anything. */
  #obey(text: string): string | undefined {
    let message: {
      event?: unknown
      streamSid?: unknown
      media?: { payload?: unknown }
      mark?: { name?: unknown }
    } | null
    try {
      message = JSON.parse(text)
    } catch {
      return "not JSON"
    }
    if (message?.streamSid !== this.streamSid) return "wrong streamSid"
    if (message.event === "media" && typeof message.media?.payload === "string") {
      this.#options.tap?.received?.(performance.now())
      if (!this.playout.media(Buffer.from(message.media.payload, "base64")) && !this.#full) {
        this.#full = true
        this.#options.onWarning("31931: more than 10 minutes buffered, media discarded")
      }
    } else if (message.event === "mark" && typeof message.mark?.name === "string") {
      this.#options.onMark(message.mark.name, false)
      this.playout.mark(message.mark.name)
    } else if (message.event === "clear") {
      this.#options.tap?.cleared?.(performance.now())
      this.#options.onClear(this.playout.clear())
    } else return "unknown message"
    return undefined
  }
}
