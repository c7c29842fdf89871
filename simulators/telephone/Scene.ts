/** What a verb of a TwiML document can use of its call, and its possible outcomes. */
import type { EndedBy } from "./CallEvents.ts"
import type { CallHooks, HookedCall } from "./CallHooks.ts"
import type { Exchange } from "./CallResult.ts"
import type { Line } from "./Line.ts"

/** Go on with the next verb, run another document, or end the document. */
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
  /** Whether the call still runs the document of this verb. */
  readonly isHere: () => boolean
  /** Answers the call: the first audible verb does that. */
  readonly answer: () => void
  /** Starts the caller's script. */
  readonly runScript: () => void
  readonly say: (text: string) => Promise<void>
  /** Waits `ms` milliseconds, or until the document is left. */
  readonly wait: (ms: number) => Promise<unknown>
  /** Posts to a callback and ignores its answer. The call's result waits for the post. */
  readonly tell: (action: string, fields: Record<string, string>) => void
  readonly end: (by: EndedBy) => void
}

/**
 * Ends a verb with an `action`: it asks the action how to go on, or the next verb follows. A document that was left does not go on. With `isTold` its
 * action is still told.
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
