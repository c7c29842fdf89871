/**
 * Outages for the service under load: of a provider, which cuts the connection of every request (or, `silent`, accepts requests and never answers),
 * or of the database, whose connections are cut (or, `silent`, stop without being closed).
 */
import type { HttpResponse } from "uWebSockets.js"

export const outageNames = ["moderation", "model", "voice", "speech-to-text", "database"] as const
export type OutageName = (typeof outageNames)[number]

export class Outages {
  readonly #away = new Set<OutageName>()
  readonly #listeners: Array<(name: OutageName, away: boolean) => void> = []
  /** Who is away takes what is asked, and never answers. */
  readonly silent: boolean

  constructor(silent = false) {
    this.silent = silent
  }

  /** Cuts the connection of a request when its provider is away, or leaves it without an answer for ever; says whether it is away. */
  cut(name: OutageName, res: HttpResponse): boolean {
    if (!this.#away.has(name)) return false
    if (!this.silent) res.close()
    return true
  }

  /** Whether what comes over an open connection is lost. */
  swallows(name: OutageName): boolean {
    return this.silent && this.#away.has(name)
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
