/** Which events a subscriber wants, and which scope each needs. */
import { Schema } from "effect"
import type { Scope } from "../people/access/Access.ts"
import { type EventType, eventTypes } from "./Event.ts"

/** The first part of an event's type: `contact.created` belongs to the family `contact`. */
export type EventFamily = EventType extends `${infer Family}.${string}` ? Family : never

/** The scope that a subscriber needs for the events of a family. */
const scopes: Readonly<Record<EventFamily, Scope>> = {
  contact: "contacts:read",
  conversation: "conversations:read",
  message: "messages:read",
  broadcast: "messages:read",
  template: "messages:read",
  ai: "agents:read",
  call: "voice:read",
  order: "modules:read",
  cart: "modules:read",
  payment: "integrations:read",
  connection: "integrations:read",
  webhook: "admin"
}

const familyOf = (type: EventType) => type.slice(0, type.indexOf(".")) as EventFamily

/** The scope that a subscriber needs for events of this type. */
export const eventScope = (type: EventType): Scope => scopes[familyOf(type)]

const families = [...new Set(eventTypes.map(familyOf))]

/** A type, or `family.*` for all types of a family, including types that are added later. */
export const EventPattern = Schema.Literals([...eventTypes, ...families.map((family) => `${family}.*` as const)])
export type EventPattern = typeof EventPattern.Type

export const isEventPattern = Schema.is(EventPattern)

/** Whether the patterns match a type. An empty list matches every type. */
export const wants = (patterns: ReadonlyArray<EventPattern>, type: EventType): boolean =>
  patterns.length === 0 || patterns.includes(type) || patterns.includes(`${familyOf(type)}.*`)

/** The types that these patterns match. */
export const typesOf = (patterns: ReadonlyArray<EventPattern>): ReadonlyArray<EventType> =>
  eventTypes.filter((type) => wants(patterns, type))
