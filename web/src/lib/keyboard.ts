/**
 * Keys of a page. Single letters act only outside fields, and can be switched off (WCAG 2.1.4). A key is written `j`, `Shift+j`, `Mod+Enter` or `g i`:
 * one after the other.
 */
import { useEffect, useRef } from "react"
import { read, write } from "./storage.ts"

export type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>

/** The second key of a sequence must come within so many milliseconds. */
const sequenceMs = 1_200

const layers: Array<{ readonly keys: Keys; readonly modal: boolean }> = []
let pending: { readonly key: string; readonly until: number } | undefined

export const lettersAreOn = (): boolean => read("letters") !== "off"
export const switchLetters = (on: boolean): void => write("letters", on ? "on" : "off")

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(TEXTAREA|SELECT)$/.test(target.tagName) ||
    (target instanceof HTMLInputElement && !/^(checkbox|radio|button|submit|range)$/.test(target.type)))

/** How a pressed key is written. Letters in lower case, whatever the layout writes with Shift. */
export const nameOf = (event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">): string => {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  const shift = event.shiftKey && (event.key.length > 1 || key !== event.key || /[a-z]/.test(key))
  return `${event.ctrlKey || event.metaKey ? "Mod+" : ""}${event.altKey ? "Alt+" : ""}${shift ? "Shift+" : ""}${key}`
}

const isLetter = (name: string) => !name.startsWith("Mod+") && name.replace(/^(Alt\+|Shift\+)+/, "").length === 1

const find = (name: string): ((event: KeyboardEvent) => void) | undefined => {
  for (const { keys, modal } of layers.toReversed()) {
    const action = keys[name]
    if (action !== undefined) return action
    if (modal) return undefined
  }
  return undefined
}

const pressed = (event: KeyboardEvent) => {
  if (event.defaultPrevented || event.isComposing) return
  const name = nameOf(event)
  const letter = isLetter(name)
  if (letter && (isField(event.target) || !lettersAreOn())) return
  if (isField(event.target) && !name.startsWith("Mod+") && name !== "Escape") return
  const sequence = pending !== undefined && pending.until > event.timeStamp ? `${pending.key} ${name}` : undefined
  pending = undefined
  const action = (sequence === undefined ? undefined : find(sequence)) ?? find(name)
  if (action !== undefined) {
    event.preventDefault()
    return action(event)
  }
  if (layers.some(({ keys }) => Object.keys(keys).some((one) => one.startsWith(`${name} `))))
    pending = { key: name, until: event.timeStamp + sequenceMs }
}

if (typeof document !== "undefined") document.addEventListener("keydown", pressed)

/** Keys for as long as the component is shown. Those of later components come first; a modal layer keeps keys from all before it. */
export const useKeys = (keys: Keys, options: { readonly modal?: boolean; readonly when?: boolean } = {}): void => {
  const latest = useRef(keys)
  latest.current = keys
  const { modal = false, when = true } = options
  useEffect(() => {
    if (!when) return
    const layer = {
      get keys() {
        return latest.current
      },
      modal
    }
    layers.push(layer)
    return () => {
      layers.splice(layers.indexOf(layer), 1)
    }
  }, [modal, when])
}
