/** Who looks at a conversation, or writes in it, at this moment. It holds for 20 seconds, and whoever is there says so again. */
import type { ConversationPresence } from "@parley/client"
import { useEffect, useSyncExternalStore } from "react"
import { parley } from "./client.ts"

export interface Present {
  readonly id: string
  readonly name: string
  readonly state: "viewing" | "typing"
}

interface Kept extends Present {
  readonly until: number
}

const nobody: ReadonlyArray<Present> = []
let present: ReadonlyMap<string, ReadonlyArray<Kept>> = new Map()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | undefined

const publish = (next: ReadonlyMap<string, ReadonlyArray<Kept>>) => {
  present = next
  for (const listener of listeners) listener()
  clearTimeout(timer)
  const ends = [...next.values()].flat().map(({ until }) => until)
  if (ends.length > 0) timer = setTimeout(expire, Math.max(50, Math.min(...ends) - Date.now()))
}

/** Forgets those who have not said it again. */
const expire = () => {
  const now = Date.now()
  publish(
    new Map(
      [...present].flatMap(([id, people]) => {
        const left = people.filter(({ until }) => until > now)
        return left.length === 0 ? [] : [[id, left] as const]
      })
    )
  )
}

export const storePresence = ({ conversation, person, state, until }: ConversationPresence): void => {
  const others = (present.get(conversation.id) ?? []).filter(({ id }) => id !== person.id)
  const people = state === "gone" ? others : [...others, { ...person, state, until: Date.parse(until) }]
  publish(new Map(present).set(conversation.id, people))
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The colleagues in a conversation, without the person `me`. */
export const usePresence = (conversationId: string, me: string): ReadonlyArray<Present> => {
  const people = useSyncExternalStore(subscribe, () => present.get(conversationId) ?? nobody)
  return people.filter(({ id }) => id !== me)
}

/** It is said again this long after, which is before it ends. */
const againMs = 15_000
let said: { readonly id: string; readonly state: Present["state"]; readonly at: number } | undefined

/** Nobody waits for it, and the next one says the same: what fails here is not told. */
const tell = (id: string, state: Present["state"] | "gone") =>
  void parley.chats.presence(id, { state }).catch(() => undefined)

const say = (id: string, state: Present["state"]) => {
  if (said?.id === id && said.state === state && Date.now() - said.at < againMs) return
  said = { id, state, at: Date.now() }
  tell(id, state)
}

/** Says that one writes: called at each letter. */
export const sayTyping = (id: string): void => say(id, "typing")

/** Says that one writes no more. */
export const sayWritten = (id: string): void => say(id, "viewing")

/** Says that one looks at a conversation, for as long as it is open, the page is seen and somebody is at it. */
export const useViewing = (id: string): void => {
  useEffect(() => {
    const look = () => {
      if (document.hidden || (said?.id === id && Date.now() - said.at < againMs)) return
      say(id, "viewing")
    }
    look()
    const signs = ["pointermove", "keydown", "visibilitychange"]
    for (const sign of signs) document.addEventListener(sign, look, { passive: true })
    return () => {
      for (const sign of signs) document.removeEventListener(sign, look)
      if (said?.id === id) said = undefined
      tell(id, "gone")
    }
  }, [id])
}
