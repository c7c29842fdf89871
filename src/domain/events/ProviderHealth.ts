/**
 * How the providers do, as this process sees it: the circuit in front of each tells. What all processes see together, and what organizations are told, is
 * `events/Outage`. Times are Unix milliseconds.
 */
import { Context } from "effect"

/** A provider that has failed. The name is that of its circuit: `text-to-speech/deepgram`. */
export interface ProviderTrouble {
  readonly provider: string
  /** When its circuit opened. */
  readonly since: number
  /** When a request failed last. */
  readonly failedAt: number
  /** When it answered again; undefined: it did not yet. */
  readonly endedAt?: number
}

export interface ProviderHealth {
  /** Call it when the process begins to use a provider. */
  readonly uses: (provider: string) => void
  /** The providers that the process uses, by name. */
  readonly used: () => ReadonlyArray<string>
  readonly failed: (provider: string, at: number) => void
  readonly works: (provider: string, at: number) => void
  /** All providers that have failed since the process began, each with its newest trouble. */
  readonly troubles: () => ReadonlyArray<ProviderTrouble>
}

export const makeProviderHealth = (): ProviderHealth => {
  const known = new Map<string, ProviderTrouble>()
  const inUse = new Set<string>()
  return {
    uses: (provider) => void inUse.add(provider),
    used: () => [...inUse].toSorted(),
    failed: (provider, at) => {
      const before = known.get(provider)
      const since = before === undefined || before.endedAt !== undefined ? at : before.since
      known.set(provider, { provider, since, failedAt: at })
    },
    works: (provider, at) => {
      const before = known.get(provider)
      if (before !== undefined && before.endedAt === undefined) known.set(provider, { ...before, endedAt: at })
    },
    troubles: () => [...known.values()]
  }
}

/** The health of the process, unless another one is provided. */
export const ProviderHealth = Context.Reference<ProviderHealth>("parley/domain/ProviderHealth", {
  defaultValue: makeProviderHealth
})
