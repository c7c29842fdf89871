/**
 * Use case: sum up what was said with a contact, for the person who goes on with it: messages, calls and notes on all channels. It is made when somebody
 * asks for it, by the same model and filter as the summaries of calls, and is not stored.
 */
import { Clock, Effect, Schema } from "effect"
import { makeCondense } from "../../ai/providers/Condense.ts"
import { ModelTokens, summariesAgentId } from "../../ai/providers/ModelTokens.ts"
import { Moderation } from "../../ai/providers/Moderation.ts"
import type { TokenUsage } from "../../ai/providers/Reasoning.ts"
import { asLine } from "../../ai/providers/Untrusted.ts"
import { exampleIds } from "../../basics/Examples.ts"
import { isoTime } from "../../basics/IsoTime.ts"
import { traced } from "../../basics/Traced.ts"
import { aiTokensOf, type Organization } from "../../people/organizations/Organization.ts"
import { type TimelineEntry, type TimelinePlace, Timelines } from "../conversations/Timeline.ts"
import { judgedParts, lineOf } from "./RollingSummary.ts"

const languageNames = new Intl.DisplayNames("en", { type: "language", fallback: "none" })

/** The English name of a language: `Hindi (India)` for `hi-IN`; `undefined` for what is no tag of a known language. */
const languageName = (tag: string): string | undefined => {
  if (!/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/.test(tag)) return undefined
  try {
    return languageNames.of(tag)
  } catch {
    // A tag that has the shape of one and is none, such as `en-x`.
    return undefined
  }
}

/** The language of a summary, by its BCP 47 tag. */
export const SummaryLanguage = Schema.String.check(
  Schema.makeFilter(
    (tag: string) => languageName(tag) !== undefined || "must be a language tag, for example en or hi-IN."
  )
)

/** The newest entries that are read: older ones are left out. */
const mostEntries = 300
const entriesAtOnce = 100
/** All requests to the model together. */
const patience = "45 seconds"

/** A summary of what was said. It is not stored: `until` says what it knows. */
export const ConversationSummary = Schema.Struct({
  conversationId: Schema.String,
  text: Schema.String,
  /** How many messages, calls and notes were read. */
  entries: Schema.Int,
  /** When the newest of them came. */
  until: Schema.String,
  createdAt: Schema.String
}).annotate({
  title: "ConversationSummary",
  examples: [
    {
      conversationId: exampleIds.conversation,
      text: "Asha Rao asks for The Overstory. We have it and keep it for her until Friday. Open: she wants to know whether it can be sent.",
      entries: 6,
      until: "2026-11-21T09:30:00.000Z",
      createdAt: "2026-11-21T09:31:00.000Z"
    }
  ]
})
export type ConversationSummary = typeof ConversationSummary.Type

/** 403: the tokens of this month are used. */
export class NoTokensLeft extends Schema.TaggedError<NoTokensLeft>()("NoTokensLeft", {}) {}
/** 409: there is nothing to sum up, or the filter flagged the summary; `message` is a sentence. */
export class NothingToSum extends Schema.TaggedError<NothingToSum>()("NothingToSum", { message: Schema.String }) {}
/** 500: the model or the filter did not answer. */
export class SummaryUnavailable extends Schema.TaggedError<SummaryUnavailable>()("SummaryUnavailable", {
  message: Schema.String
}) {}

/** What an entry says, in lines; none for changes, in which nothing is said. */
const linesOf = ({ message, call, note }: TimelineEntry): ReadonlyArray<string> => {
  if (message !== undefined) return [lineOf(message)]
  if (note !== undefined) return [`Note of a colleague: ${asLine(note.text)}`]
  return (call?.utterances ?? []).map(
    ({ role, text }) => `${role === "caller" ? "Contact, on the telephone" : "We, on the telephone"}: ${asLine(text)}`
  )
}

/** Needs Timelines, ModelTokens, Reasoning and Moderation. `language`: the tag of the language of the summary; without it, that of the conversation. */
export const makeSummarizeConversation = Effect.gen(function* () {
  const timelines = yield* Timelines
  const tokens = yield* ModelTokens
  const condense = yield* makeCondense
  const moderation = yield* Moderation

  /** The newest entries, oldest first; `undefined` when there is no such conversation. */
  const newest = Effect.fnUntraced(function* (organizationId: string, conversationId: string) {
    const found: Array<TimelineEntry> = []
    let place: TimelinePlace | undefined
    do {
      const from = place === undefined ? undefined : ({ side: "before", place } as const)
      const part = { from, limit: entriesAtOnce, wholeContact: true }
      const page = yield* timelines.read(organizationId, conversationId, part)
      if (page === undefined) return undefined
      found.push(...page.entries)
      place = page.older ?? undefined
    } while (place !== undefined && found.length < mostEntries)
    return found.toReversed()
  })

  const sum = Effect.fnUntraced(function* (
    lines: ReadonlyArray<string>,
    options: { readonly language: string; readonly user: string },
    spend: (usage: TokenUsage) => void
  ) {
    let summary: string | null = null
    for (const part of yield* judgedParts(lines)) summary = (yield* condense(summary, part, options, spend)) ?? summary
    return summary ?? (yield* new NothingToSum({ message: "The content filter flagged the summary." }))
  })

  return traced("SummarizeConversation")(function* (
    organization: Organization,
    conversationId: string,
    language: string | undefined
  ) {
    const { id: organizationId, timeZone } = organization
    const entries = yield* newest(organizationId, conversationId)
    if (entries === undefined) return undefined
    const said = entries.filter((entry) => linesOf(entry).length > 0)
    const last = said.at(-1)
    if (last === undefined) return yield* new NothingToSum({ message: "Nothing has been said here yet." })
    const now = yield* Clock.currentTimeMillis
    const used = yield* tokens.thisMonth(organizationId, timeZone, now)
    if (used >= aiTokensOf(organization)) return yield* new NoTokensLeft()
    const spent: Array<TokenUsage> = []
    const unavailable = (message: string) => () => Effect.fail(new SummaryUnavailable({ message }))
    const name = language === undefined ? undefined : languageName(language)
    const options = { language: name ?? "the language of the conversation", user: organizationId }
    const text = yield* sum(said.flatMap(linesOf), options, (one) => spent.push(one)).pipe(
      Effect.provideService(Moderation, moderation),
      Effect.timeoutOrElse({ duration: patience, orElse: unavailable("The summary took too long. Please try again.") }),
      Effect.catchTags({
        ReasoningError: unavailable("The language model did not answer. Please try again."),
        ModerationError: unavailable("The content filter did not answer. Please try again.")
      }),
      Effect.ensuring(Effect.suspend(() => tokens.spend(organizationId, summariesAgentId, spent, now)))
    )
    return {
      conversationId,
      text,
      entries: said.length,
      until: last.at,
      createdAt: isoTime(now)
    } satisfies ConversationSummary
  })
})
