/** Requests and media messages that are almost right, made from a seed: the same seed gives the same ones. */
import type { Operation, Operations } from "./operations.ts"

/** Gives numbers from 0 up to 1, always the same ones for a seed (mulberry32). */
export const randomOf = (seed: number) => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (most: number) => Math.floor(next() * most)
  const one = <A>(list: ReadonlyArray<A>): A => list[below(list.length)]
  return { below, one, chance: (share: number) => next() < share }
}
export type Random = ReturnType<typeof randomOf>

/** A request as it is written on the socket, from the method to the end of the body. */
export interface MutatedRequest {
  readonly operation: Operation
  readonly method: string
  readonly target: string
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: Buffer | undefined
}

const nasty: ReadonlyArray<unknown> = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  "",
  " ",
  "\u0000",
  "\u0007",
  "\ud800",
  "\u202e",
  "💥".repeat(300),
  "x".repeat(5_000),
  "'; DROP TABLE contacts; --",
  "{{7*7}}",
  "../../etc/passwd",
  "__proto__",
  "constructor",
  "2026-02-30T25:61:61Z",
  "+14155550123",
  "http://127.0.0.1/",
  [],
  {},
  [[[[[]]]]],
  { __proto__: 1, constructor: { prototype: 1 } },
  Array.from({ length: 2_000 }, () => 0)
]

const headers: ReadonlyArray<readonly [string, string]> = [
  ["content-type", "text/plain"],
  ["content-type", "application/json; charset=utf-16"],
  ["content-type", "multipart/form-data"],
  ["content-type", "multipart/form-data; boundary=x"],
  ["content-type", "application/x-www-form-urlencoded"],
  ["authorization", ""],
  ["authorization", "Basic eDp4"],
  ["authorization", "Bearer mk_00000000_00000000000000000000000000000000"],
  ["cookie", "parley_session=ses_1; parley_session=x; =; ;"],
  ["idempotency-key", "x".repeat(300)],
  ["idempotency-key", "one two"],
  ["x-request-id", "\u00ff\u00fe"],
  ["x-forwarded-for", "1.2.3.4, unknown, ::1"],
  ["x-twilio-signature", "AAAA"],
  ["x-engine-signature", "t=1,v1=00"],
  ["x-hub-signature-256", "sha256=00"],
  ["accept", "application/xml"],
  ["accept-encoding", "gzip;q=0, br"],
  ["range", "bytes=9-1,-1,x"],
  ["if-none-match", "*"],
  ["last-event-id", "evt_1"],
  ["expect", "100-continue"]
]

/** The value with something of it exchanged, left out, added or wrapped. */
const mutated = (random: Random, value: unknown): unknown => {
  if (random.chance(0.25)) return random.one(nasty)
  if (Array.isArray(value))
    return value.length === 0 || random.chance(0.2)
      ? [...value, random.one(nasty)]
      : value.map((item, index) => (index === 0 ? mutated(random, item) : item))
  if (typeof value !== "object" || value === null)
    return random.chance(0.5) ? random.one(nasty) : `${String(value)}${String(random.one(nasty)).slice(0, 20)}`
  const fields = Object.entries(value)
  if (fields.length === 0 || random.chance(0.2))
    return { ...value, [String(random.one(nasty)).slice(0, 100)]: random.one(nasty) }
  const which = random.below(fields.length)
  return Object.fromEntries(
    fields.flatMap(([name, inner], index) =>
      index !== which ? [[name, inner]] : random.chance(0.15) ? [] : [[name, mutated(random, inner)]]
    )
  )
}

/** The bytes with some of them changed, cut off, added or repeated. */
export const damaged = (random: Random, bytes: Uint8Array): Buffer => {
  const at = random.below(bytes.length + 1)
  const [left, right] = [bytes.subarray(0, at), bytes.subarray(at)]
  switch (random.below(5)) {
    case 0:
      return Buffer.concat([left, Buffer.of(random.below(256)), right.subarray(1)])
    case 1:
      return Buffer.from(left)
    case 2:
      return Buffer.concat([
        left,
        Buffer.from(random.one(['"', "}", "]", "\\", "\\u0000", "\u00e9", "[".repeat(300), "1e999"])),
        right
      ])
    case 3:
      return Buffer.concat([left, Buffer.of(0xff, 0xfe, 0x00), right])
    default:
      return Buffer.concat([left, left.subarray(Math.max(0, at - 50)), right])
  }
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""))
/** As part of a target: what is left of a text that cannot be encoded. */
const encoded = (text: string): string => encodeURIComponent(Buffer.from(text).toString("utf8")).slice(0, 1_500)

/** Makes requests: the n-th of a seed is always the same. `ids` are ids that there are; `key` is a good API key. */
export const requestsOf = (
  { operations, sample, textsIn }: Operations,
  key: string,
  ids: ReadonlyArray<string>,
  seed: number
) => {
  const random = randomOf(seed)
  const bodies = new Map(
    operations.map((operation) => {
      const { body } = operation
      const places = body === undefined ? [] : textsIn(body.schema)
      return [
        operation,
        body === undefined
          ? []
          : [sample(body.schema), ...places.slice(0, 20).map((place) => sample(body.schema, place))]
      ]
    })
  )
  const word = () => (random.chance(0.5) ? random.one(ids) : textOf(random.one(nasty)))
  return (): MutatedRequest => {
    const operation = random.one(operations)
    const { parameters, path, body } = operation
    const filled = path.replace(/\{\w+\}/g, () => encoded(random.chance(0.7) ? random.one(ids) : word()))
    const query = parameters.flatMap(({ name, in: where, schema }) =>
      where !== "query" || random.chance(0.6)
        ? []
        : [`${name}=${encoded(random.chance(0.4) ? textOf(sample(schema)) : word())}`]
    )
    if (random.chance(0.1))
      query.push(random.one(["%", "a=%zz", "page=1&page=2", "&&&", "=", "limit[]=1", "x=%ff", "__proto__=1"]))
    const target = random.chance(0.03) ? `${filled}${random.one(["/", "//", ";x", "%00", "%2e%2e", "%"])}` : filled
    const method = random.chance(0.05)
      ? random.one(["GET", "PUT", "PATCH", "POST", "DELETE", "HEAD", "OPTIONS"])
      : operation.method
    const type = body?.type === "multipart/form-data" ? "multipart/form-data; boundary=b" : body?.type
    const value = random.one(bodies.get(operation) ?? [])
    const given =
      body === undefined || method === "GET" || method === "HEAD"
        ? undefined
        : Buffer.from(
            body.type === "multipart/form-data"
              ? '--b\r\ncontent-disposition: form-data; name="file"; filename="x.png"\r\ncontent-type: image/png\r\n\r\nPNG\r\n--b--\r\n'
              : body.type === "application/x-www-form-urlencoded"
                ? `AccountSid=${encoded(word())}&CallSid=${encoded(word())}&a=b`
                : (JSON.stringify(random.chance(0.85) ? mutated(random, value) : value) ?? "")
          )
    return {
      operation,
      method,
      target: `/${target.replace(/^\/+/, "")}${query.length === 0 ? "" : `?${query.join("&")}`}`,
      headers: [
        ...(random.chance(0.9) ? [["authorization", `Bearer ${key}`] as const] : []),
        ...(type === undefined || given === undefined ? [] : [["content-type", type] as const]),
        ...(random.chance(0.1) ? [random.one(headers)] : [])
      ],
      body: given !== undefined && random.chance(0.15) ? damaged(random, given) : given
    }
  }
}

const stream = "MZ00000000000000000000000000000000"
const payload = Buffer.alloc(160, 0xff).toString("base64")
/** The messages of a stream after its start, in the provider's form. */
const messages: ReadonlyArray<object> = [
  {
    event: "media",
    sequenceNumber: "4",
    streamSid: stream,
    media: { track: "inbound", chunk: "2", timestamp: "20", payload }
  },
  { event: "mark", sequenceNumber: "5", streamSid: stream, mark: { name: "g0:1" } },
  { event: "dtmf", sequenceNumber: "6", streamSid: stream, dtmf: { track: "inbound_track", digit: "5" } },
  {
    event: "start",
    sequenceNumber: "1",
    streamSid: stream,
    start: {
      accountSid: "AC1",
      callSid: "CA1",
      mediaFormat: { encoding: "audio/x-mulaw", sampleRate: 8000 },
      customParameters: {}
    }
  },
  { event: "connected", protocol: "Call", version: "1.0.0" }
]

/** Makes media messages: the n-th of a seed is always the same. None is a good stop. */
export const mediaMessagesOf = (seed: number) => {
  const random = randomOf(seed)
  return (): Buffer => {
    const message = random.chance(0.7) ? messages[0] : random.one(messages)
    const text = Buffer.from(JSON.stringify(random.chance(0.5) ? mutated(random, message) : message) ?? "null")
    return random.chance(0.7) ? damaged(random, text) : text
  }
}
