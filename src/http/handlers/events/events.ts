/** `GET /api/events`: the live feed. */
import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { newId } from "../../../domain/basics/Ids.ts"
import { isJsonObject } from "../../../domain/basics/Json.ts"
import { EventFeed, EventLog, type FeedEvent, type LogPlace, logStart } from "../../../domain/events/EventFeed.ts"
import { eventScope, isStreamPattern, type StreamPattern, streamedTypes } from "../../../domain/events/EventFilter.ts"
import { isWatched } from "../../../domain/events/PassingEvent.ts"
import { callerId, type Principal } from "../../../domain/people/access/Access.ts"
import { ApiKeys } from "../../../domain/people/access/ApiKey.ts"
import { UserSessions } from "../../../domain/people/access/UserSession.ts"
import { AppApi } from "../../groups/Api.ts"
import { Caller, requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { ServerClosing } from "../../server/ServerClosing.ts"
import { BadRequest, Forbidden, NotFound, tooMany } from "../../wire/Errors.ts"
import { eventStream } from "../../wire/EventStream.ts"
import { makeWatchedStreams } from "./WatchedStreams.ts"

/** The number of streams that one organization may have open in this process. */
const mostStreams = 500
/** When a refused client may try again. */
const retryAfterSeconds = 10

const patternsOf = Effect.fnUntraced(function* (types: string | undefined) {
  const patterns: Array<StreamPattern> = []
  for (const name of (types ?? "").split(",").map((part) => part.trim())) {
    if (name === "") continue
    if (!isStreamPattern(name))
      return yield* new BadRequest({ error: `types is invalid: there are no events named "${name.slice(0, 100)}".` })
    patterns.push(name)
  }
  return patterns
})

/** The event types that match the patterns; without patterns all types the caller may read. Fails with 403 when the caller may not read one. */
const readableTypes = Effect.fnUntraced(function* (caller: Principal, patterns: ReadonlyArray<StreamPattern>) {
  if (patterns.length > 0) {
    for (const type of streamedTypes(patterns)) yield* requireScope(eventScope(type))
    return new Set<string>(streamedTypes(patterns))
  }
  const types = streamedTypes([]).filter((type) => caller.scopes.includes(eventScope(type)))
  if (types.length > 0) return new Set<string>(types)
  return yield* new Forbidden({ error: "None of the scopes lets you read events: contacts:read is one that does." })
})

/** The id of the call that an event is about. */
const callIdIn = ({ call }: FeedEvent["data"]): unknown => (isJsonObject(call) ? call.id : undefined)

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

    const streams = yield* makeWatchedStreams
    const watch = Effect.fnUntraced(function* (streamId: string, calls: ReadonlyArray<string>) {
      const caller = yield* requireScope("voice:read")
      const isId = /^str_[0-9A-HJKMNP-TV-Z]{26}$/.test(streamId)
      if (!isId || !(yield* streams.watch(caller.organizationId, callerId(caller), streamId, calls)))
        return yield* new NotFound({
          error: "You have no such event stream open. Its id is in the header X-Stream-Id."
        })
      return { streamId, calls }
    })

    return handlers
      .handle("watch", ({ params, payload }) => watch(params.streamId, payload.calls))
      .handleRaw(
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
          const streamId = newId("str")
          const wanted = ({ type, data }: FeedEvent) =>
            types.has(type) && (!isWatched(type) || streams.watches(streamId, callIdIn(data)))
          // Only with the body: an answer to HEAD, or to a client that has gone, has none and would never leave.
          const enter = Effect.andThen(
            Effect.sync(() => streams.open(streamId, organizationId, callerId(caller))),
            add(organizationId, 1)
          )
          const leave = Effect.andThen(
            Effect.sync(() => streams.close(streamId)),
            add(organizationId, -1)
          )
          const source = Effect.acquireRelease(enter, () => leave).pipe(
            Effect.andThen(feed.subscribe(organizationId, after)),
            Effect.map((subscription) => eventStream({ subscription, wanted, mayRead: mayRead(caller), closing, note }))
          )
          return HttpServerResponse.stream(Stream.unwrap(source), {
            contentType: "text/event-stream",
            headers: { "cache-control": "no-store", "x-accel-buffering": "no", "x-stream-id": streamId }
          })
        })
      )
  })
)
