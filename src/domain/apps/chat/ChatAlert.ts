/** Alerts in a team chat: the sentence about an event that people should hear of at once. Pure. */
import { DateTime, Option, Schema } from "effect"
import { isTimeZone } from "../../basics/Calendar.ts"
import { dashboardUrl } from "../../messaging/conversations/DashboardUrl.ts"

/** `sla`: a conversation waited too long. `integrations`: one has stopped, or works again. `usage`: the month's tokens or minutes are used. `providers`: one is down, or works again. */
export const AlertKind = Schema.Literals(["sla", "integrations", "usage", "providers"])
export type AlertKind = typeof AlertKind.Type

/** What an event is, as far as it matters here. */
export interface HeardEvent {
  readonly id: string
  readonly type: string
  readonly data: unknown
  /** Unix milliseconds. */
  readonly createdAt: number
}

export interface Alert {
  readonly kind: AlertKind
  readonly text: string
}

export interface AlertTerms {
  readonly publicBaseUrl: string
  readonly timeZone: string
}

const text = Schema.String
const nullable = Schema.NullOr(Schema.String)
const reading = <S extends Schema.Decoder<unknown>>(schema: S) => Schema.decodeUnknownOption(schema)

const readBreach = reading(
  Schema.Struct({
    conversation: Schema.Struct({
      id: text,
      contact: Schema.Struct({ name: nullable, phone: nullable })
    }),
    target: text,
    dueAt: nullable
  })
)
const readConnection = reading(Schema.Struct({ connection: Schema.Struct({ title: text, problem: nullable }) }))
const readUsage = reading(
  Schema.Struct({
    usage: Schema.Struct({
      allowance: Schema.Number,
      used: Schema.Number,
      overagePrice: Schema.optionalKey(text)
    })
  })
)
const readProvider = reading(
  Schema.Struct({ provider: Schema.Struct({ service: text, name: text, since: text, until: nullable }) })
)

/** A date with its time of day, in the time zone. */
export const timeIn = (iso: string, timeZone: string): string =>
  DateTime.format(DateTime.makeZonedUnsafe(Date.parse(iso), { timeZone: isTimeZone(timeZone) ? timeZone : "UTC" }), {
    dateStyle: "medium",
    timeStyle: "short",
    locale: "en-GB"
  })

const services: Readonly<Record<string, string>> = {
  "speech-to-text": "Speech recognition",
  "text-to-speech": "Voices",
  reasoning: "The language model",
  moderation: "The content filter",
  embeddings: "The search in knowledge",
  messaging: "The messaging channel",
  telephony: "The telephone provider"
}

/** How people call a contact. */
export const contactLabel = ({ name, phone }: { readonly name: string | null; readonly phone: string | null }) =>
  name ?? phone ?? "A contact"

const breach = (data: unknown, { publicBaseUrl, timeZone }: AlertTerms) =>
  Option.map(readBreach(data), ({ conversation: { id, contact }, target, dueAt }) => {
    const waits = target === "resolution" ? "was not resolved in time" : "waits too long for a first answer"
    const due = dueAt === null ? "" : ` It was due ${timeIn(dueAt, timeZone)}.`
    return `⏰ The conversation with ${contactLabel(contact)} ${waits}.${due} ${dashboardUrl(publicBaseUrl, id)}`
  })

const provider = (data: unknown, { timeZone }: AlertTerms) =>
  Option.map(readProvider(data), ({ provider: { service, name, since, until } }) => {
    const what = `${services[service] ?? service} (${name})`
    return until === null
      ? `🔴 ${what} has not answered since ${timeIn(since, timeZone)}. Calls and agents may be disturbed; we try on.`
      : `🟢 ${what} answers again. It was away from ${timeIn(since, timeZone)} to ${timeIn(until, timeZone)}.`
  })

const tokens = (data: unknown) =>
  Option.map(
    readUsage(data),
    ({ usage: { allowance, used } }) =>
      `📈 The AI tokens of this month are used (${used} of ${allowance}): text agents hand over to people.`
  )

const minutes = (data: unknown) =>
  Option.map(readUsage(data), ({ usage: { allowance, used, overagePrice } }) => {
    const price = overagePrice === undefined ? "" : ` Each further minute costs ${Number(overagePrice)} USD.`
    return `📈 The voice minutes of this month are used (${used} of ${allowance}).${price}`
  })

const failed = (data: unknown) =>
  Option.map(
    readConnection(data),
    ({ connection: { title, problem } }) => `⚠️ ${title} does not work. ${problem ?? "Look at its connection."}`
  )

const recovered = (data: unknown) =>
  Option.map(readConnection(data), ({ connection: { title } }) => `✅ ${title} works again.`)

type Compose = (data: unknown, terms: AlertTerms) => Option.Option<string>
const alerts: Readonly<Record<string, readonly [kind: AlertKind, compose: Compose]>> = {
  "conversation.sla_breached": ["sla", breach],
  "connection.failed": ["integrations", failed],
  "connection.recovered": ["integrations", recovered],
  "ai.allowance_used": ["usage", tokens],
  "voice.allowance_used": ["usage", minutes],
  "provider.failed": ["providers", provider],
  "provider.recovered": ["providers", provider]
}

/** The types of events that are told. */
export const alertTypes: ReadonlyArray<string> = Object.keys(alerts)

/** The alert about an event; `undefined` when it is none. */
export const alertOf = ({ type, data }: HeardEvent, terms: AlertTerms): Alert | undefined => {
  const found = alerts[type]
  if (found === undefined) return undefined
  const [kind, compose] = found
  return Option.match(compose(data, terms), { onNone: () => undefined, onSome: (said) => ({ kind, text: said }) })
}
