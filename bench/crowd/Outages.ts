/** What a crowd's service is without, for a while: a provider that cuts every connection it is asked something on, or the database. */
import type { HttpResponse } from "uWebSockets.js"

export const outageNames = ["moderation", "model", "voice", "speech-to-text", "database"] as const
export type OutageName = (typeof outageNames)[number]

export class Outages {
  readonly #away = new Set<OutageName>()
  readonly #listeners: Array<(name: OutageName, away: boolean) => void> = []

  /** Cuts the connection of a request when its provider is away; says whether it did. */
  cut(name: OutageName, res: HttpResponse): boolean {
    if (!this.#away.has(name)) return false
    res.close()
    return true
  }

  /** Tells whenever something goes away or comes back. */
  onChange(tell: (name: OutageName, away: boolean) => void): void {
    this.#listeners.push(tell)
  }

  begin(name: OutageName): void {
    this.#away.add(name)
    for (const tell of this.#listeners) tell(name, true)
  }

  end(name: OutageName): void {
    this.#away.delete(name)
    for (const tell of this.#listeners) tell(name, false)
  }
}
