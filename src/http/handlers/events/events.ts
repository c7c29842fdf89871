/** `GET /api/events`: the live feed. */
import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { EventFeed, EventLog, type LogPlace, logStart } from "../../../domain/events/EventFeed.ts"
import { type EventPattern, eventScope, isEventPattern, typesOf } from "../../../domain/events/EventFilter.ts"
import { ApiKeys, type Principal } from "../../../domain/people/access/Access.ts"
import { UserSessions } from "../../../domain/people/access/UserSession.ts"
import { AppApi } from "../../groups/Api.ts"
import { Caller, requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { ServerClosing } from "../../server/ServerClosing.ts"
import { BadRequest, Forbidden, tooMany } from "../../wire/Errors.ts"
import { eventStream } from "../../wire/EventStream.ts"

/** The number of streams that one organization may have open in this process. */
const mostStreams = 50
/** When a refused client may try again. */
const retryAfterSeconds = 10

const patternsOf = Effect.fnUntraced(function* (types: string | undefined) {
  const patterns: Array<EventPattern> = []
  for (const name of (types ?? "").split(",").map((part) => part.trim())) {
    if (name === "") continue
    if (!isEventPattern(name))
      return yield* new BadRequest({ error: `types is invalid: there are no events named "${name.slice(0, 100)}".` })
    patterns.push(name)
  }
  return patterns
})

/** The event types that match the patterns; without patterns all types the caller may read. Fails with 403 when the caller may not read one. */
const readableTypes = Effect.fnUntraced(function* (caller: Principal, patterns: ReadonlyArray<EventPattern>) {
  if (patterns.length > 0) {
    for (const type of typesOf(patterns)) yield* requireScope(eventScope(type))
    return new Set<string>(typesOf(patterns))
  }
  const types = typesOf([]).filter((type) => caller.scopes.includes(eventScope(type)))
  if (types.length > 0) return new Set<string>(types)
  return yield* new Forbidden({ error: "None of the scopes lets you read events: contacts:read is one that does." })
})

/** Needs EventFeed, EventLog, ApiKeys and UserSessions. */
export const layer = group(
  AppApi,
  "events",
  Effect.fn(function* (handlers) {
    const feed = yield* EventFeed
    const log = yield* EventLog
    const keys = yield* ApiKeys
    const sessions = yield* UserSessions
    const open = new Map<string, number>()
    const count = (organizationId: string) => open.get(organizationId) ?? 0
    const add = (organizationId: string, change: 1 | -1) =>
      Effect.sync(() => {
        const streams = count(organizationId) + change
        if (streams === 0) open.delete(organizationId)
        else open.set(organizationId, streams)
      })

    const mayRead = (caller: Principal) =>
      "keyId" in caller
        ? Effect.map(keys.find(caller.organizationId, caller.keyId), (key) => key?.status === "active")
        : sessions.isGood(caller.organizationId, caller.sessionId)

    /** The place after which the stream begins, and a note for the client when that is not the place where it stopped. */
    const beginning = Effect.fnUntraced(function* (organizationId: string, lastEventId: string | undefined) {
      const none: { readonly after: LogPlace | undefined; readonly note: string | undefined } = {
        after: undefined,
        note: undefined
      }
      if (lastEventId === undefined || lastEventId === "") return none
      if (!/^evt_[0-9A-HJKMNP-TV-Z]{26}$/.test(lastEventId))
        return yield* new BadRequest({ error: "Last-Event-ID is invalid: it must be the id of an event, unchanged." })
      const after = yield* log.placeOf(organizationId, lastEventId)
      if (after !== undefined) return { after, note: undefined }
      return {
        after: logStart,
        note: `The event ${lastEventId} is not kept any more. Events may be missing; all that are kept follow.`
      }
    })

    return handlers.handleRaw(
      "stream",
      Effect.fnUntraced(function* ({ query, headers }) {
        const caller = yield* Caller
        const { organizationId } = caller
        const types = yield* readableTypes(caller, yield* patternsOf(query.types))
        const { after, note } = yield* beginning(organizationId, headers["last-event-id"] ?? query.lastEventId)
        const closing = yield* ServerClosing
        if (count(organizationId) >= mostStreams)
          return yield* tooMany(
            `There are ${mostStreams} event streams of this organization already. Close some of them first.`,
            retryAfterSeconds
          )
        const wanted = ({ type }: { readonly type: string }) => types.has(type)
        const source = Effect.acquireRelease(add(organizationId, 1), () => add(organizationId, -1)).pipe(
          Effect.andThen(feed.subscribe(organizationId, after)),
          Effect.map((subscription) => eventStream({ subscription, wanted, mayRead: mayRead(caller), closing, note }))
        )
        return HttpServerResponse.stream(Stream.unwrap(source), {
          contentType: "text/event-stream",
          headers: { "cache-control": "no-store", "x-accel-buffering": "no" }
        })
      })
    )
  })
)
