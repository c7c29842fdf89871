/**
 * The port behind which each integration is: how it is told what happens here (`push`), and how it tells us what happens there (`AppInbound.ts`). An
 * adapter keeps no state. What it does may be repeated after a crash, so each of its steps must be safe to repeat.
 */
import { Context, type Effect } from "effect"
import type {
  AskedLink,
  BegunPayment,
  KnownLink,
  MadeLink,
  PaymentNews,
  ToldAmount
} from "../business/payments/PaymentNews.ts"
import type { Channel } from "../people/contacts/Channel.ts"
import type { Contact } from "../people/contacts/Contact.ts"
import type { AppChat } from "./AppChat.ts"
import type { AppAccount, AppSettings } from "./AppConnection.ts"
import type { AppInbound, AppPull } from "./AppInbound.ts"
import type { AppAnswer, AppFailure, AppSession } from "./AppSession.ts"
import type { AppProvider } from "./Catalogue.ts"
import type { ContactFields } from "./ContactFields.ts"
import type { RemoteField } from "./RemoteFields.ts"

export { type AppAnswer, AppFailure, type AppSession } from "./AppSession.ts"

export const appTriggers = ["contact.created", "contact.updated", "conversation.resolved", "call.ended"] as const
export type AppTrigger = (typeof appTriggers)[number]

/** A recording and a summary come after the end of their call: what was told of it then is told again. */
const callsAgain = ["call.recorded", "call.summarized"]

/** What is told after an event of this type; undefined: nothing. */
export const triggerOf = (eventType: string): AppTrigger | undefined =>
  callsAgain.includes(eventType) ? "call.ended" : appTriggers.find((trigger) => trigger === eventType)

/** A line of a conversation, as it is noted elsewhere. */
export interface ToldLine {
  readonly at: string
  readonly by: "contact" | "us"
  readonly text: string
}

/** A conversation of messages or of calls that was resolved, or in which a call has ended. */
export interface ToldConversation {
  readonly id: string
  readonly channel: Channel
  /** The name of the person or AI agent that had it; null when nobody had. */
  readonly agent: string | null
  readonly beganAt: string
  /** Null: it is not resolved. */
  readonly resolvedAt: string | null
  /** When it was resolved, else when its newest call ended. */
  readonly at: string
  /** How long its calls took together; null without a call. */
  readonly durationSeconds: number | null
  /** What its newest call came to; null without a call, and until there is a summary. */
  readonly summary: string | null
  /** Where its newest recording is; null without one. */
  readonly recordingUrl: string | null
  /** Where it can be read here. */
  readonly url: string
  /** The last lines, oldest first. */
  readonly lines: ReadonlyArray<ToldLine>
}

/** What happened: the contact as it is now, and the conversation. */
export type AppChange =
  | { readonly trigger: "contact.created" | "contact.updated"; readonly contact: Contact }
  | {
      readonly trigger: "conversation.resolved" | "call.ended"
      readonly contact: Contact
      readonly conversation: ToldConversation
    }

/** A record of ours and the provider's id of its counterpart. */
export interface AppLink {
  readonly kind: "contact" | "conversation"
  readonly localId: string
  readonly remoteId: string
  /** A hash of what was sent last, if the adapter wants to know it the next time. */
  readonly hash: string | null
  /** Of a contact: its fields as both sides had them last. An adapter that takes changes from there gives what is there now. */
  readonly fields?: Partial<ContactFields> | null
}

export interface AppTask {
  /** The same each time the change is sent again. */
  readonly id: string
  readonly change: AppChange
  /** It may have arrived before: an earlier attempt had no answer, or its outcome was not stored. */
  readonly again: boolean
  /** What is known of the contact and the conversation at the provider. */
  readonly links: ReadonlyArray<AppLink>
}

/** A deal as the provider writes it. */
export interface AppDeal {
  readonly name: string | null
  readonly stage: string | null
  readonly amount: string | null
  readonly currency: string | null
}

/** So many deals of a contact are asked for. */
export const mostDeals = 3

/** How a provider authorizes us by OAuth 2. Credentials hold `accessToken`, `refreshToken` and `expiresAt` (`AppTokens.ts`). */
export interface AppOAuth {
  /** Where a person agrees. `challenge`: the S256 challenge of PKCE, for providers that know it. */
  readonly authorizeUrl: (given: {
    readonly redirectUri: string
    readonly state: string
    readonly challenge: string
  }) => string
  readonly exchange: (
    ask: AppSession["ask"],
    given: {
      readonly code: string
      readonly verifier: string
      readonly redirectUri: string
      /** With what else the provider has sent the person back. */
      readonly query?: Readonly<Record<string, string>>
    },
    now: number
  ) => Effect.Effect<Readonly<Record<string, string>>, AppFailure>
  /** Gives all credentials, with new tokens. A refresh token that the provider refuses is a final `reconnect`. */
  readonly refresh: (
    ask: AppSession["ask"],
    credentials: Readonly<Record<string, string>>,
    now: number
  ) => Effect.Effect<Readonly<Record<string, string>>, AppFailure>
  /** What a person who was sent back without a code has to do, where the provider's reason says it. */
  readonly declined?: (error: string, description: string) => string | undefined
  /** Ends the authorization at the provider. */
  readonly revoke?: (
    ask: AppSession["ask"],
    credentials: Readonly<Record<string, string>>
  ) => Effect.Effect<void, AppFailure>
}

/** How a provider gives a token for the credentials that a person entered. The credentials then hold `accessToken` and `expiresAt`. */
export interface AppRenewal {
  /** Whether these credentials need one. */
  readonly isNeeded: (credentials: Readonly<Record<string, string>>) => boolean
  /** Gives all credentials, with a new token. */
  readonly renew: (
    ask: AppSession["ask"],
    given: Pick<AppSession, "credentials" | "settings">,
    now: number
  ) => Effect.Effect<Readonly<Record<string, string>>, AppFailure>
}

/** How a payment provider is asked for payment links. Times are Unix milliseconds. */
export interface AppPayments {
  /** Whether the credentials move money. */
  readonly isLive: (given: Pick<AppSession, "credentials" | "settings">) => boolean
  /** Why the provider cannot ask for this, as a sentence. */
  readonly problem: (asked: ToldAmount & { readonly lifetimeMs: number }) => string | undefined
  /** Makes the link. It may have been made by an earlier attempt with the same reference: then gives that one. */
  readonly create: (session: AppSession, asked: AskedLink, now: number) => Effect.Effect<MadeLink, AppFailure>
  /** What the provider knows of the payment now. */
  readonly ask: (session: AppSession, link: KnownLink, now: number) => Effect.Effect<PaymentNews, AppFailure>
  /** Sees to it that nobody can pay by the link any more. One that is closed already stays so. */
  readonly close: (session: AppSession, link: KnownLink, now: number) => Effect.Effect<void, AppFailure>
  /** For a provider whose links are pages of ours: begins a payment, or gives the newest one that was begun and is open. */
  readonly begin?: (session: AppSession, asked: AskedLink, now: number) => Effect.Effect<BegunPayment, AppFailure>
}

export interface AppAdapter {
  /** Absent when the provider has none, or the operator has no client there. */
  readonly oauth?: AppOAuth
  /** The most requests of one connection in a time, of all processes together. A little less than the provider allows. */
  readonly rate: { readonly requests: number; readonly windowMs: number }
  /** Changes of different contacts that are sent at once. */
  readonly atOnce: number
  /** Why these credentials and settings cannot be right, as a sentence, before anybody is asked. */
  readonly problem: (given: {
    readonly credentials: Readonly<Record<string, string>>
    readonly settings: AppSettings
  }) => string | undefined
  /** Whose account the credentials open. Changes nothing there. */
  readonly identify: (session: AppSession) => Effect.Effect<AppAccount, AppFailure>
  /** Shows that the connection works; by default `identify` does. */
  readonly tryOut?: (session: AppSession, now: number) => Effect.Effect<void, AppFailure>
  /** Tells the provider of a change. Gives the links that are new or have changed. Absent: it is told nothing. */
  readonly push?: (session: AppSession, task: AppTask, now: number) => Effect.Effect<ReadonlyArray<AppLink>, AppFailure>
  /** How the provider tells us by webhooks. Absent: it has none, and the address answers 404. */
  readonly inbound?: AppInbound
  /** How the provider is asked for its records. */
  readonly pull?: AppPull
  /** Where a token of the provider ends, and is got for what was entered. */
  readonly renewal?: AppRenewal
  /** What an operator or administrator should know of the provider at this time, as a sentence, e.g. that the version of its API ends. */
  readonly notice?: (now: number) => string | undefined
  /** How people write with each other there. Absent: it is no team chat, or the operator has no app there. */
  readonly chat?: AppChat
  /** How it is asked for payments. Absent: it takes none. */
  readonly payments?: AppPayments
  /** The fields of contacts there, by the provider's own schema. Absent: a mapping is free. */
  readonly fields?: (session: AppSession) => Effect.Effect<ReadonlyArray<RemoteField>, AppFailure>
  /** A deal by the provider's id; undefined when it has none with this id. A call waits for it. */
  readonly deal?: (session: AppSession, id: string) => Effect.Effect<AppDeal | undefined, AppFailure>
  /** The ids of a contact's newest deals, `mostDeals` at most, by the provider's id of the contact. An answer waits for them. */
  readonly dealsOf?: (session: AppSession, contactId: string) => Effect.Effect<ReadonlyArray<string>, AppFailure>
  /** Milliseconds to wait before the next request, read from the headers of an answer. */
  readonly slowDown?: (headers: AppAnswer["headers"]) => number | undefined
}

/** The adapter of each provider. */
export class AppAdapters extends Context.Service<AppAdapters, Readonly<Record<AppProvider, AppAdapter>>>()(
  "parley/domain/AppAdapters"
) {}
