/** An OpenTelemetry collector that takes traces as OTLP/HTTP JSON and keeps them. */
import { gunzipSync } from "node:zlib"
import { z } from "zod"
import { type HttpFaults, httpFaults, listen, sendJson, spoiled } from "../support/Loopback.ts"

const Value = z.union([
  z.object({ stringValue: z.string() }).transform((value) => value.stringValue),
  z.object({ intValue: z.union([z.string(), z.number()]) }).transform((value) => Number(value.intValue)),
  z.object({ doubleValue: z.number() }).transform((value) => value.doubleValue),
  z.object({ boolValue: z.boolean() }).transform((value) => value.boolValue)
])
const Attributes = z
  .array(z.object({ key: z.string(), value: Value.or(z.unknown()) }))
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, value])))
/** Nanoseconds since 1970 as text; milliseconds are enough for a test. */
const Time = z.string().transform((nanos) => Number(BigInt(nanos) / 1_000n) / 1_000)

const Span = z.object({
  name: z.string(),
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z.string().optional(),
  startTimeUnixNano: Time,
  endTimeUnixNano: Time,
  attributes: Attributes,
  events: z.array(z.object({ name: z.string(), timeUnixNano: Time }))
})
export type CollectedSpan = z.output<typeof Span>

const Traces = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(Span) }))
    })
  )
})

export interface CollectorSimulator {
  /** What `OTEL_EXPORTER_OTLP_ENDPOINT` is set to. */
  readonly url: string
  readonly faults: HttpFaults
  /** Every span taken, in order of arrival; times are milliseconds since 1970. */
  readonly spans: Array<CollectedSpan>
  /** `service.name` and headers of every batch; bodies as they came. */
  readonly batches: Array<{ readonly serviceName: unknown; readonly key: string | undefined; readonly body: string }>
  readonly stats: { requests: number; refused: number }
  readonly close: () => Promise<void>
}

/** Starts the collector on 127.0.0.1. Anything but well-formed traces is refused with 400. */
export const start = async (): Promise<CollectorSimulator> => {
  const faults = httpFaults()
  const stats = { requests: 0, refused: 0 }
  const spans: Array<CollectedSpan> = []
  const batches: CollectorSimulator["batches"] = []
  const server = await listen(async (request, response) => {
    stats.requests++
    const pieces: Array<Buffer> = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const raw = Buffer.concat(pieces)
    if (await spoiled(faults, response, (status) => ({ code: status, message: "planned failure" }))) return
    const body = (request.headers["content-encoding"] === "gzip" ? gunzipSync(raw) : raw).toString("utf8")
    const parsed = request.url === "/v1/traces" ? Traces.safeParse(JSON.parse(body)) : undefined
    if (!parsed?.success) {
      stats.refused++
      return sendJson(response, 400, { code: 3, message: parsed?.error.message ?? `no ${request.url}` })
    }
    for (const { resource, scopeSpans } of parsed.data.resourceSpans) {
      const key = request.headers["x-collector-key"]
      batches.push({
        serviceName: resource.attributes["service.name"],
        key: typeof key === "string" ? key : undefined,
        body
      })
      spans.push(...scopeSpans.flatMap((scope) => scope.spans))
    }
    sendJson(response, 200, {})
  })
  return { url: server.url, faults, spans, batches, stats, close: server.close }
}
