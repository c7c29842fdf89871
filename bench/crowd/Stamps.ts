/**
 * Where the time of a turn goes: the providers of a crowd say when they were asked and when they answered, the caller says when it
 * heard. What is left is Parley's: from the transcript to the question to the model, from the model's first clause to the request for
 * speech, from its first byte to the first frame.
 */
export interface TurnStamps {
  transcriptSent: number
  modelAsked: number
  clauseSent: number
  speechAsked: number
  speechSent: number
}

const slots = 1 << 16

/** Stamps of the turn each caller is in, by the caller's number. */
export class Stamps {
  readonly #turns = new Map<number, TurnStamps>()

  of(caller: number): TurnStamps {
    const key = caller % slots
    const known = this.#turns.get(key)
    if (known !== undefined) return known
    const fresh = { transcriptSent: 0, modelAsked: 0, clauseSent: 0, speechAsked: 0, speechSent: 0 }
    this.#turns.set(key, fresh)
    return fresh
  }

  /** Milliseconds that Parley added, when the first frame came at `heard`; undefined when a stamp is missing. */
  added(caller: number, heard: number): number | undefined {
    const { transcriptSent, modelAsked, clauseSent, speechAsked, speechSent } = this.of(caller)
    const inOrder = transcriptSent > 0 && modelAsked >= transcriptSent && clauseSent >= modelAsked
    if (!inOrder || speechAsked < clauseSent || speechSent < speechAsked || heard < speechSent) return undefined
    return modelAsked - transcriptSent + (speechAsked - clauseSent) + (heard - speechSent)
  }

  forget(caller: number): void {
    this.#turns.delete(caller % slots)
  }
}
