/**
 * Outages of providers: what one does not answer for a while, as all processes of the service see it together. Organizations that use such a provider are
 * told once when it begins and once when it is over.
 */
import { Context, type Effect, Schema } from "effect"
import type { ProviderTrouble } from "./ProviderHealth.ts"

/** Shorter troubles are nobody's news, and after this time without a failed request an outage is over. Milliseconds. */
export const outageAfterMs = 30_000
export const outageOverAfterMs = 15 * 60_000

export const ProviderService = Schema.Literals([
  "speech-to-text",
  "text-to-speech",
  "reasoning",
  "moderation",
  "embeddings",
  "messaging",
  "telephony"
])
export type ProviderService = typeof ProviderService.Type
const isService = Schema.is(ProviderService)

/** What organizations are told of a provider. */
export const ToldProvider = Schema.Struct({
  /** What it does for the service. */
  service: ProviderService,
  /** The provider, or the model. */
  name: Schema.String,
  since: Schema.String,
  /** When it answered again; null: it does not yet. */
  until: Schema.NullOr(Schema.String)
}).annotate({
  title: "ToldProvider",
  examples: [{ service: "text-to-speech", name: "deepgram", since: "2026-11-21T09:30:00.000Z", until: null }]
})
export type ToldProvider = typeof ToldProvider.Type

/** Reads the name of a circuit: `text-to-speech/deepgram`. `undefined` for one that organizations are told nothing of. */
export const providerNamed = (provider: string): Pick<ToldProvider, "service" | "name"> | undefined => {
  const at = provider.indexOf("/")
  const service = at < 0 ? provider : provider.slice(0, at)
  return isService(service) ? { service, name: at < 0 ? provider : provider.slice(at + 1) } : undefined
}

export interface Outage {
  readonly provider: string
  readonly since: number
  readonly endedAt: number | null
}

/** Port of the outages of all processes. Times are Unix milliseconds. */
export class Outages extends Context.Service<
  Outages,
  {
    /** Notes what a process sees: what has failed for long is an outage, what works again ends one. */
    readonly note: (troubles: ReadonlyArray<ProviderTrouble>, now: number) => Effect.Effect<void>
    /** Outages that began or ended, of which organizations do not know yet. */
    readonly untold: Effect.Effect<ReadonlyArray<Outage>>
    /** Tells an organization that uses the provider; told twice, it changes nothing. */
    readonly tell: (organizationId: string, outage: Outage, now: number) => Effect.Effect<void>
    /** All organizations know it. */
    readonly told: (outage: Outage) => Effect.Effect<void>
  }
>()("parley/domain/Outages") {}
