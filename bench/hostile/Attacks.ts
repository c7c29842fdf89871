/** The worst input of each kind that a stranger can send: what each connection writes, how often, and how long it stays. */
import { randomBytes, randomInt } from "node:crypto"

export interface Attack {
  readonly name: string
  /** New connections a second. */
  readonly rate: number
  /** What a connection writes, part by part. */
  readonly parts: () => ReadonlyArray<string | Buffer>
  /** Milliseconds between two parts. Default: none. */
  readonly everyMs?: number
  /** How long a connection stays that was not answered, or whose answer is not the end of it. Default: until it is answered, at most two seconds. */
  readonly staysMs?: number
}

/** As from a thousand addresses, so that a limit for each address does not hide what a request costs. The bench's service trusts this proxy. */
const address = () => `x-forwarded-for: 203.0.${randomInt(113, 117)}.${randomInt(1, 251)}\r\n`

const head = (method: string, path: string, headers = ""): string =>
  `${method} ${path} HTTP/1.1\r\nhost: parley.test\r\n${address()}${headers}\r\n`

const post = (path: string, type: string, body: string | Buffer, headers = ""): ReadonlyArray<string | Buffer> => [
  head("POST", path, `content-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}`),
  body
]
const form = "application/x-www-form-urlencoded"
const json = "application/json"

const voice = "/api/webhooks/telephony/voice"
const channel = "/api/webhooks/messaging"
const send = "/api/messaging-api/send"

const signature = () => `x-twilio-signature: ${randomBytes(20).toString("base64")}\r\n`
const hubSignature = () => `x-hub-signature-256: sha256=${randomBytes(32).toString("hex")}\r\n`
const engineSignature = () =>
  `x-engine-signature: t=${Math.floor(Date.now() / 1_000)},v1=${randomBytes(32).toString("hex")}\r\n`
const key = () => `authorization: Bearer mk_${randomBytes(4).toString("hex")}_${randomBytes(16).toString("hex")}\r\n`

/** So many fields, each of another name, with an account that nobody has. */
const fields = (count: number): string =>
  `AccountSid=AC${randomBytes(16).toString("hex")}&${Array.from({ length: count }, (_, index) => `a${index}=`).join("&")}`
const manyFields = fields(10_000)
const mostFields = fields(60_000)

/** A JSON object of about so many bytes that takes long to parse. */
const objects = (bytes: number): string =>
  `{"a":[${Array(Math.floor(bytes / 14))
    .fill('{"b":{"c":[]}}')
    .join(",")}]}`
const bigJson = objects(3_900_000)
const channelJson = `{"object":"whatsapp_business_account","entry":[{"id":"1","changes":[{"field":"messages","value":{"metadata":{"phone_number_id":"1"},"messages":${objects(2_900_000)}}}]}]}`
const smallChannelJson = `{"object":"whatsapp_business_account","entry":[{"id":"1","changes":[{"field":"messages","value":{}}]}]}`
const deepJson = "[".repeat(200_000)

const chunked = (path: string, body: string): ReadonlyArray<string> => {
  const size = 64 * 1_024
  const chunks = Array.from({ length: Math.ceil(body.length / size) }, (_, index) =>
    body.slice(index * size, (index + 1) * size)
  )
  return [
    head("POST", path, `content-type: ${json}\r\ntransfer-encoding: chunked\r\n`),
    ...chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`),
    "0\r\n\r\n"
  ]
}

const upgrade = (headers = ""): string =>
  head(
    "GET",
    "/media",
    `${signature()}connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${randomBytes(16).toString("base64")}\r\n${headers}`
  )

/** A client's WebSocket frame. `said` is the length in its head, when that is not the truth. */
const frame = (first: number, payload: Buffer, said = payload.length): Buffer => {
  const mask = randomBytes(4)
  const length = Buffer.alloc(9)
  length[0] = 0x80 | 127
  length.writeBigUInt64BE(BigInt(said), 1)
  const masked = Buffer.from(payload.map((byte, index) => byte ^ mask[index % 4]))
  return Buffer.concat([Buffer.of(first), length, mask, masked])
}
const text = 0x81
const binary = 0x82
const compressedText = 0xc1
const unfinishedText = 0x01
const unknownOpcode = 0x8b

const badFramings: ReadonlyArray<() => ReadonlyArray<string>> = [
  () => [`${head("POST", send, "content-length: 5\r\ncontent-length: 6\r\n")}hello!`],
  () => [
    `${head("POST", send, "content-length: 5\r\ntransfer-encoding: chunked\r\n")}0\r\n\r\nGET /healthz HTTP/1.1\r\nhost: x\r\n\r\n`
  ],
  () => [`${head("POST", send, "transfer-encoding: chunked\r\n")}zzzz\r\nhello\r\n`],
  () => [`${head("POST", send, "transfer-encoding: chunked\r\n")}ffffffffffffffff1\r\nhello\r\n`],
  () => [`${head("POST", send, "transfer-encoding: xchunked\r\n")}hello`],
  () => [head("POST", send, "content-length: -1\r\n")],
  () => [head("POST", send, "content-length: 99999999999999999999\r\n")],
  () => ["GET /healthz HTTP/9.9\r\n\r\n"],
  () => ["GET /healthz\n\n"],
  () => [`GET /healthz HTTP/1.1\r\n host: folded\r\nx : y\r\n\r\n`],
  () => ["\r\n".repeat(5_000)],
  () => [randomBytes(2_000).toString("latin1")]
]

const paths = [
  "/%00",
  "/api/../../etc/passwd",
  "//metrics",
  "/api/messaging-api/contacts/%FF%FE",
  `/api/voice-agents/${"%2e%2e%2f".repeat(200)}`,
  `/${"a/".repeat(1_500)}`,
  `/api/messaging-api/contacts?${"a=1&".repeat(700)}`,
  `/api/webhooks/messaging?hub.mode=subscribe&hub.verify_token=${"x".repeat(2_000)}`,
  "/api/webhooks/telephony/speech/..%2f..%2f.wav",
  `/api/media/med_01KAJ300000000000000000000/file?organization=org_1&expires=9999999999&signature=${"a".repeat(64)}`
]

const one =
  <A>(list: ReadonlyArray<() => A>) =>
  (): A =>
    list[randomInt(list.length)]()

export const attacks: ReadonlyArray<Attack> = [
  { name: "forms of 10,000 fields", rate: 10, parts: () => post(voice, form, manyFields, signature()) },
  { name: "forms of 60,000 fields", rate: 1, parts: () => post(voice, form, mostFields, signature()) },
  { name: "JSON of 4 MB without a key", rate: 2, parts: () => post(send, json, bigJson) },
  { name: "the same, chunked", rate: 2, parts: () => chunked(send, bigJson) },
  {
    name: "JSON nested 200,000 deep",
    rate: 10,
    parts: one([
      () => post(send, json, deepJson),
      () => post(channel, json, deepJson, hubSignature()),
      () => post("/api/session", json, deepJson)
    ])
  },
  {
    name: "channel webhooks of 3 MB, badly signed",
    rate: 2,
    parts: () => post(channel, json, channelJson, hubSignature())
  },
  {
    name: "small webhooks, badly signed",
    rate: 100,
    parts: one([
      () => post(voice, form, fields(20), signature()),
      () => post(channel, json, smallChannelJson, hubSignature()),
      () => post("/api/voice-agents/webhook", json, '{"type":"call_started"}', engineSignature())
    ])
  },
  { name: "unknown keys", rate: 200, parts: () => [head("GET", "/api/messaging-api/contacts", key())] },
  {
    name: "unknown keys with idempotency keys",
    rate: 100,
    parts: () => post(send, json, "{}", `${key()}idempotency-key: ${randomBytes(127).toString("hex")}\r\n`)
  },
  {
    name: "sign-ins",
    rate: 20,
    parts: () =>
      post(
        "/api/session",
        json,
        JSON.stringify({ email: `${randomBytes(6).toString("hex")}@example.com`, password: "correct horse battery" })
      )
  },
  {
    name: "heads sent byte by byte",
    rate: 60,
    everyMs: 200,
    parts: () => [..."GET /healthz HTTP/1.1\r\nhost: parley.test\r\nx: yyyyyyyyyyyyyy"]
  },
  {
    name: "bodies sent in drops",
    rate: 60,
    everyMs: 200,
    parts: () => [
      head("POST", send, `content-type: ${json}\r\ncontent-length: 200000\r\n`),
      ...Array<string>(50).fill(" ".repeat(1_000))
    ]
  },
  { name: "idle connections", rate: 200, staysMs: 20_000, parts: () => [] },
  {
    name: "heads of 16 KB and more",
    rate: 60,
    parts: one([
      () => [
        head("GET", "/healthz", Array.from({ length: 400 }, (_, index) => `x-${index}: ${"y".repeat(30)}\r\n`).join(""))
      ],
      () => [head("GET", "/healthz", `cookie: ${"a=b; ".repeat(3_000)}\r\n`)],
      () => [head("GET", "/healthz", `x-forwarded-for: ${"1.2.3.4, ".repeat(1_500)}\r\n`)],
      () => [head("GET", "/healthz", `x: ${"y".repeat(200_000)}\r\n`)]
    ])
  },
  { name: "bad framing", rate: 100, parts: one(badFramings) },
  { name: "WebSockets without a start", rate: 100, staysMs: 20_000, parts: () => [upgrade()] },
  {
    name: "WebSocket frames of garbage",
    rate: 60,
    parts: one([
      () => [upgrade(), frame(text, Buffer.from(deepJson.slice(0, 60_000)))],
      () => [upgrade(), frame(text, Buffer.from(`{"event":"start","start":${objects(60_000)}}`))],
      () => [upgrade(), frame(binary, randomBytes(60_000))],
      () => [upgrade(), frame(text, Buffer.alloc(0), 2 ** 40)],
      () => [upgrade(), ...Array.from({ length: 50 }, () => frame(unfinishedText, Buffer.from("x".repeat(1_000))))],
      () => [upgrade("sec-websocket-extensions: permessage-deflate\r\n"), frame(compressedText, randomBytes(60_000))],
      () => [upgrade(), frame(unknownOpcode, randomBytes(100))],
      () => [upgrade(), randomBytes(2_000)],
      () => [
        Buffer.from(upgrade()),
        Buffer.concat(Array.from({ length: 2_000 }, () => frame(text, Buffer.from('{"event":"connected"}'))))
      ]
    ])
  },
  { name: "/readyz", rate: 200, parts: () => [head("GET", "/readyz")] },
  { name: "/metrics", rate: 100, parts: () => [head("GET", "/metrics")] },
  {
    name: "/docs and /openapi.json",
    rate: 30,
    parts: one([() => [head("GET", "/docs")], () => [head("GET", "/openapi.json")]])
  },
  { name: "paths", rate: 200, parts: () => [head("GET", paths[randomInt(paths.length)])] },
  {
    name: "verify tokens",
    rate: 100,
    parts: () => [
      head("GET", `${channel}?hub.mode=subscribe&hub.challenge=1&hub.verify_token=${randomBytes(16).toString("hex")}`)
    ]
  }
]
