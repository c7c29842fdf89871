/** What a verb of a TwiML document sees of its call, and what it may come to. */
import type { EndedBy } from "./CallEvents.ts"
import type { CallHooks, HookedCall } from "./CallHooks.ts"
import type { Exchange } from "./CallResult.ts"
import type { Line } from "./Line.ts"

/** The next verb's turn; another document instead; or the document is over. */
export type Outcome =
  | { readonly _tag: "Next" }
  | { readonly _tag: "Document"; readonly twiml: string }
  | { readonly _tag: "End" }
export const next: Outcome = { _tag: "Next" }
export const over: Outcome = { _tag: "End" }

export interface Scene {
  readonly call: HookedCall
  readonly exchange: Exchange
  readonly line: Line
  readonly hooks: CallHooks
  readonly warnings: Array<string>
  /** Settles when the document is left: a REST update, or the end of the call. */
  readonly left: Promise<unknown>
  /** Whether the call goes on, with the document that this verb is of. */
  readonly isHere: () => boolean
  /** The call counts as answered from the first verb that has something to be heard. */
  readonly answer: () => void
  /** The caller begins to listen and speak. */
  readonly runScript: () => void
  readonly say: (text: string) => Promise<void>
  /** So many milliseconds, or until the document is left. */
  readonly wait: (ms: number) => Promise<unknown>
  /** A callback whose answer nobody obeys; the call's result waits for it. */
  readonly tell: (action: string, fields: Record<string, string>) => void
  readonly end: (by: EndedBy) => void
}

/**
 * How a verb with an `action` ends: it asks there how to go on, or is followed by the next verb. A document that was left goes no further; its
 * action `isTold` all the same, most when the caller has hung up.
 */
export const actOn = async (
  scene: Scene,
  action: string | undefined,
  fields: Record<string, string>,
  isTold = !scene.call.live
): Promise<Outcome> => {
  if (!scene.isHere()) {
    if (action && isTold) scene.tell(action, fields)
    return over
  }
  return action ? { _tag: "Document", twiml: await scene.hooks.document(action, fields) } : next
}
