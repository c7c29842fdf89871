/** Use case: the copy of an organization's templates is made equal to what its channel has. */
import { Clock, Effect, Schema, Stream } from "effect"
import { traced } from "../../basics/Traced.ts"
import { everyOrganization, Organizations } from "../../people/organizations/Organization.ts"
import { MessagingChannel } from "../channel/MessagingChannel.ts"
import { Templates } from "./Templates.ts"

/** The channel did not list its templates; `message` says why. `refused`: nothing changes that by waiting. */
export class TemplatesNotListed extends Schema.TaggedError<TemplatesNotListed>()("TemplatesNotListed", {
  message: Schema.String,
  refused: Schema.Boolean
}) {}

/** Needs MessagingChannel and Templates once; the function it gives needs nothing. */
export const makeSyncTemplates = Effect.gen(function* () {
  const channel = yield* MessagingChannel
  const templates = yield* Templates
  return traced("SyncTemplates")(function* (organizationId: string) {
    const listed = yield* channel
      .templates(organizationId)
      .pipe(
        Effect.mapError(
          ({ _tag, reason }) => new TemplatesNotListed({ message: reason, refused: _tag === "ChannelRefused" })
        )
      )
    return yield* templates.replace(organizationId, listed, yield* Clock.currentTimeMillis)
  })
})

/** An organization that was synced later than this is left alone: somebody has asked for it meanwhile, or another node has done it. */
const freshMs = 50 * 60_000

/** Syncs every organization that was not lately. One organization's trouble is not the others'. */
export const makeSyncAllTemplates = Effect.gen(function* () {
  const organizations = yield* Organizations
  const templates = yield* Templates
  const sync = yield* makeSyncTemplates

  const syncOne = Effect.fnUntraced(function* (organizationId: string) {
    const last = yield* templates.lastSync(organizationId)
    if (last !== undefined && (yield* Clock.currentTimeMillis) - last < freshMs) return
    yield* sync(organizationId)
  })

  const attempt = (organizationId: string) =>
    syncOne(organizationId).pipe(
      // Most often there is no channel: whoever asks for a sync is told.
      Effect.catchTag("TemplatesNotListed", ({ message }) =>
        Effect.logDebug("templates were not synced", { organizationId, message })
      ),
      Effect.catchCause((cause) => Effect.logError("the sync of templates failed", { organizationId }, cause))
    )

  return everyOrganization(organizations).pipe(Stream.runForEach(attempt), Effect.withSpan("SyncTemplates.all"))
})
