/**
 * Sends spans to an OpenTelemetry collector over OTLP/HTTP (JSON). A collector that is slow or away costs spans, never a call: a batch has 5 s,
 * and after a failure spans are dropped for a minute.
 */
import { Effect, Layer, Redacted } from "effect"
import { FetchHttpClient, HttpClient, UrlParams } from "effect/http"
import { OtlpSerialization, OtlpTracer } from "effect/observability"
import { endpoint } from "../web/BaseUrl.ts"

export interface TracesOptions {
  /** Base URL of the collector, e.g. `http://127.0.0.1:4318`; spans go to `/v1/traces` below it. */
  readonly endpoint: string
  /** Sent with every batch, e.g. a key of the collector. */
  readonly headers: Readonly<Record<string, Redacted.Redacted>>
  readonly serviceName: string
  /** Milliseconds between two batches. Default 5,000. */
  readonly intervalMs?: number
}

const batchTimeoutMs = 5_000
const shutdownTimeoutMs = 2_000

const impatientClient = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(
    HttpClient.HttpClient,
    HttpClient.transformResponse(
      Effect.timeoutOrElse({
        duration: batchTimeoutMs,
        // The exporter treats all failures the same; it does not retry a defect.
        orElse: () => Effect.die(new Error(`the collector did not answer within ${batchTimeoutMs} ms`))
      })
    )
  )
).pipe(Layer.provide(FetchHttpClient.layer))

/**
 * Spans hold a request's path and the names of its query parameters, never their values: a search holds a name or a telephone number, and the
 * channel's check of our address holds the connection's token.
 */
const namesOnly = Layer.succeed(UrlParams.CurrentRedactedNames, [/^/])

/** The tracer for everything that is built on this layer. */
export const layer = (options: TracesOptions) =>
  OtlpTracer.layer({
    url: endpoint(options.endpoint, "/v1/traces"),
    headers: Object.fromEntries(Object.entries(options.headers).map(([name, value]) => [name, Redacted.value(value)])),
    resource: { serviceName: options.serviceName },
    exportInterval: options.intervalMs ?? 5_000,
    shutdownTimeout: shutdownTimeoutMs
  }).pipe(Layer.provide([OtlpSerialization.layerJson, impatientClient]), Layer.merge(namesOnly))
