/** Which events a subscriber wants, and which scope each needs. */
import { Schema } from "effect"
import type { Scope } from "../people/access/Access.ts"
import { type EventType, eventTypes } from "./Event.ts"
import { isPassingType, type PassingType, passingTypes } from "./PassingEvent.ts"

/** The first part of an event's type: `contact.created` belongs to the family `contact`. */
export type EventFamily = FamilyOf<EventType | PassingType>

type FamilyOf<Type> = Type extends `${infer Family}.${string}` ? Family : never

/** The scope that a subscriber needs for the events of a family. */
const scopes: Readonly<Record<EventFamily, Scope>> = {
  contact: "contacts:read",
  conversation: "conversations:read",
  message: "messages:read",
  broadcast: "messages:read",
  template: "messages:read",
  ai: "agents:read",
  voice: "voice:read",
  voice_agent: "voice:read",
  call: "voice:read",
  knowledge: "knowledge:read",
  order: "modules:read",
  cart: "modules:read",
  payment: "integrations:read",
  connection: "integrations:read",
  provider: "status:read",
  webhook: "admin"
}

const familyOfEvent = (type: EventType) => familyOf(type) as FamilyOf<EventType>

const familyOf = (type: EventType | PassingType) => type.slice(0, type.indexOf(".")) as EventFamily

/** The scope that a subscriber needs for events of this type. */
export const eventScope = (type: EventType | PassingType): Scope => scopes[familyOf(type)]

const families = [...new Set(eventTypes.map(familyOfEvent))]

/** A type, or `family.*` for all types of a family, including types that are added later. */
export const EventPattern = Schema.Literals([...eventTypes, ...families.map((family) => `${family}.*` as const)])
export type EventPattern = typeof EventPattern.Type

export const isEventPattern = Schema.is(EventPattern)

/** Whether the patterns match a type. An empty list matches every type. */
export const wants = (patterns: ReadonlyArray<EventPattern>, type: EventType): boolean =>
  patterns.length === 0 || patterns.includes(type) || patterns.includes(`${familyOfEvent(type)}.*`)

/** The types that these patterns match. */
export const typesOf = (patterns: ReadonlyArray<EventPattern>): ReadonlyArray<EventType> =>
  eventTypes.filter((type) => wants(patterns, type))

/** What a stream can ask for: a pattern of events, or one type of passing events. */
export type StreamPattern = EventPattern | PassingType

export const isStreamPattern = (name: string): name is StreamPattern => isPassingType(name) || isEventPattern(name)

/** The types of logged and passing events that these patterns match; all when there are none. */
export const streamedTypes = (patterns: ReadonlyArray<StreamPattern>): ReadonlyArray<EventType | PassingType> => {
  const wanted: ReadonlyArray<string> = patterns
  const passing = passingTypes.filter(
    (type) => wanted.length === 0 || wanted.includes(type) || wanted.includes(`${familyOf(type)}.*`)
  )
  const logged = patterns.filter(isEventPattern)
  return [...(patterns.length > 0 && logged.length === 0 ? [] : typesOf(logged)), ...passing]
}
