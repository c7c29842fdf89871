/** Which events somebody wants, and may have. */
import { Schema } from "effect"
import type { Scope } from "../people/access/Access.ts"
import { type EventType, eventTypes } from "./Event.ts"

/** `contact.created` is of the family `contact`. */
export type EventFamily = EventType extends `${infer Family}.${string}` ? Family : never

/** What one must be allowed to read to be told of it. */
const scopes: Readonly<Record<EventFamily, Scope>> = {
  contact: "contacts:read",
  conversation: "conversations:read",
  message: "messages:read",
  broadcast: "messages:read",
  template: "messages:read",
  call: "voice:read",
  payment: "integrations:read",
  webhook: "admin"
}

const familyOf = (type: EventType) => type.slice(0, type.indexOf(".")) as EventFamily

export const eventScope = (type: EventType): Scope => scopes[familyOf(type)]

const families = [...new Set(eventTypes.map(familyOf))]

/** A type, or `family.*` for all of a family, those that will be added too. */
export const EventPattern = Schema.Literals([...eventTypes, ...families.map((family) => `${family}.*` as const)])
export type EventPattern = typeof EventPattern.Type

export const isEventPattern = Schema.is(EventPattern)

/** No patterns: every event. */
export const wants = (patterns: ReadonlyArray<EventPattern>, type: EventType): boolean =>
  patterns.length === 0 || patterns.includes(type) || patterns.includes(`${familyOf(type)}.*`)

/** The types that these patterns name. */
export const typesOf = (patterns: ReadonlyArray<EventPattern>): ReadonlyArray<EventType> =>
  eventTypes.filter((type) => wants(patterns, type))
