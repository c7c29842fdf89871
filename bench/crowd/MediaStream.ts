/** The provider's end of a media stream: the upgrade, signed where there is an account, and the two messages that begin it. */
import { randomBytes } from "node:crypto"
import { sign } from "../../simulators/telephone/Signature.ts"
import { Wire, type WireOptions } from "./Wire.ts"

export interface MediaStreamOptions extends Pick<WireOptions, "onText" | "onClosed"> {
  /** As it is in the document of the webhook. */
  readonly url: string
  /** Over TLS; not when left out, whatever the address says: benches have no certificate. */
  readonly secure?: boolean
  readonly streamSid: string
  readonly call: {
    readonly accountSid: string
    /** Nothing is signed when left out. */
    readonly authToken?: string
    readonly callSid: string
    readonly parameters: Readonly<Record<string, string>>
  }
}

export const newSid = (prefix: "CA" | "MZ" | "AC"): string => `${prefix}${randomBytes(16).toString("hex")}`

const ports = { secure: 443, plain: 80 } as const

/** Rejects when the upgrade is refused. */
export const openMediaStream = async (options: MediaStreamOptions): Promise<Wire> => {
  const { url, secure = false, streamSid, call, onText, onClosed } = options
  const { accountSid, authToken, callSid, parameters } = call
  const { hostname, port, pathname, search } = new URL(url)
  const wire = await Wire.open({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? ports[secure ? "secure" : "plain"] : Number(port),
    secure,
    path: `${pathname}${search}`,
    headers: authToken === undefined ? {} : { "X-Twilio-Signature": sign(authToken, url) },
    onText,
    onClosed
  })
  wire.send('{"event":"connected","protocol":"Call","version":"1.0.0"}')
  const start = {
    accountSid,
    streamSid,
    callSid,
    tracks: ["inbound"],
    mediaFormat: { encoding: "audio/x-mulaw", sampleRate: 8000, channels: 1 },
    customParameters: parameters
  }
  wire.send(JSON.stringify({ event: "start", sequenceNumber: "1", start, streamSid }))
  return wire
}

/** Ends a stream as the provider does. */
export const stopMediaStream = (
  wire: Wire,
  streamSid: string,
  { accountSid, callSid }: Pick<MediaStreamOptions["call"], "accountSid" | "callSid">
): void => {
  wire.send(JSON.stringify({ event: "stop", streamSid, stop: { accountSid, callSid } }))
  wire.close()
}
