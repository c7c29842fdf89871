/** Which of a crowd's providers is away: it cuts every connection that asks it for something, and those it was talking on. */
import type { HttpResponse } from "uWebSockets.js"

export const providerNames = ["moderation", "model", "voice", "speech-to-text"] as const
export type ProviderName = (typeof providerNames)[number]

export class Outages {
  readonly #away = new Set<ProviderName>()
  readonly #onBegin: Array<(name: ProviderName) => void> = []

  isAway(name: ProviderName): boolean {
    return this.#away.has(name)
  }

  /** Cuts the connection of a request when its provider is away; says whether it did. */
  cut(name: ProviderName, res: HttpResponse): boolean {
    if (!this.isAway(name)) return false
    res.close()
    return true
  }

  /** Runs `act` whenever a provider goes away. */
  onBegin(act: (name: ProviderName) => void): void {
    this.#onBegin.push(act)
  }

  begin(name: ProviderName): void {
    this.#away.add(name)
    for (const act of this.#onBegin) act(name)
  }

  end(name: ProviderName): void {
    this.#away.delete(name)
  }
}
