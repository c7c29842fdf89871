/** Use case: copy an organization's templates from its channel. */
import { Clock, Effect, Schema, Stream } from "effect"
import { traced } from "../../basics/Traced.ts"
import { everyOrganization, Organizations } from "../../people/organizations/Organization.ts"
import { MessagingChannel } from "../channel/MessagingChannel.ts"
import { Templates } from "./Templates.ts"

/** The channel did not list its templates; `message` says why. `refused`: trying again later does not help. */
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

/** An organization that was synced within this time is skipped: somebody asked for a sync, or another node did it. Milliseconds. */
const freshMs = 50 * 60_000

/** Syncs every organization that was not synced lately. A failure in one organization is logged and does not stop the others. */
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
      // Usually the organization has no channel. A client that asks for a sync gets this error itself.
      Effect.catchTag("TemplatesNotListed", ({ message }) =>
        Effect.logDebug("templates were not synced", { organizationId, message })
      ),
      Effect.catchCause((cause) => Effect.logError("the sync of templates failed", { organizationId }, cause))
    )

  return everyOrganization(organizations).pipe(Stream.runForEach(attempt), Effect.withSpan("SyncTemplates.all"))
})
