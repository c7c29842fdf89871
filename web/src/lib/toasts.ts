/** Short messages at the bottom left: what was done, with an undo, or what failed, with another attempt. */
import { useSyncExternalStore } from "react"
import { sentenceOf } from "./sentence.ts"

export interface Toast {
  readonly id: number
  readonly text: string
  readonly tone: "plain" | "bad"
  readonly action?: { readonly label: string; readonly run: () => void } | undefined
  /** Called once when the message goes and its action was not taken. */
  readonly onGone?: (() => void) | undefined
}

const shownMs = 6_000
/** The most that stand above each other. */
const most = 4

let next = 1
let toasts: ReadonlyArray<Toast> = []
const timers = new Map<number, ReturnType<typeof setTimeout>>()
const listeners = new Set<() => void>()

const publish = (list: ReadonlyArray<Toast>) => {
  toasts = list
  for (const listener of listeners) listener()
}

const remove = (id: number): Toast | undefined => {
  clearTimeout(timers.get(id))
  timers.delete(id)
  const toast = toasts.find((one) => one.id === id)
  if (toast !== undefined) publish(toasts.filter((one) => one.id !== id))
  return toast
}

export const dismiss = (id: number): void => remove(id)?.onGone?.()

/** Takes the action of a message. */
export const act = (id: number): void => remove(id)?.action?.run()

/** Stops the clock while the pointer or the focus is on a message. */
export const hold = (id: number): void => clearTimeout(timers.get(id))
export const release = (id: number): void =>
  void timers.set(
    id,
    setTimeout(() => dismiss(id), shownMs)
  )

export const say = (
  text: string,
  action?: Toast["action"],
  tone: Toast["tone"] = "plain",
  onGone?: Toast["onGone"]
): void => {
  const toast: Toast = { id: next++, text, tone, action, onGone }
  for (const old of toasts.slice(0, Math.max(0, toasts.length + 1 - most))) dismiss(old.id)
  publish([...toasts, toast])
  release(toast.id)
}

/** Holds something back that nothing can undo, for as long as its message is shown. Whoever leaves the page does not wait. */
export const sayAndHold = (text: string, undo: NonNullable<Toast["action"]>, run: () => void): void =>
  say(text, undo, "plain", run)

/** Says why something failed, in the service's sentence. */
export const sayProblem = (cause: unknown, action?: Toast["action"]): void => say(sentenceOf(cause), action, "bad")

/** Runs the undo of the latest message that has one. */
export const undoLatest = (): void => {
  const last = toasts.findLast(({ action }) => action !== undefined)
  if (last !== undefined) act(last.id)
}

if (typeof window !== "undefined")
  addEventListener("pagehide", () => {
    for (const { id } of toasts) dismiss(id)
  })

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useToasts = (): ReadonlyArray<Toast> => useSyncExternalStore(subscribe, () => toasts)
