/** The `parley admin` commands that set how long an organization keeps its data, and remove older data by hand. */
import { Clock, Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { makeManageOrganization } from "../../domain/people/organizations/ManageOrganization.ts"
import { retentionOf } from "../../domain/people/organizations/Organization.ts"
import { RetentionPolicy } from "../../domain/people/organizations/RetentionPolicy.ts"
import { makeRunRetention } from "../../domain/privacy/RunRetention.ts"
import { AdminError, answer, existing, explained, json, organization } from "./shared.ts"

const period = (flag: string, what: string) =>
  Flag.Int(flag).pipe(Flag.withDescription(`Days ${what} are kept`), Flag.optional)

export const setRetention = Command.make(
  "set-retention",
  {
    organization,
    transcriptDays: period("transcript-days", "transcripts"),
    recordingDays: period("recording-days", "recordings"),
    toolCallDays: period("tool-call-days", "audits of tools and of moderation"),
    messageDays: period("message-days", "messages and their files"),
    keepMessages: Flag.Boolean("keep-messages").pipe(
      Flag.withDescription("Keep messages for good, as by default"),
      Flag.withDefault(false)
    ),
    reset: Flag.Boolean("reset").pipe(Flag.withDescription("Back to the default"), Flag.withDefault(false)),
    json
  },
  Effect.fnUntraced(function* ({ organization, reset, keepMessages, json, ...periods }) {
    const found = yield* existing(organization)
    if (reset === (keepMessages || Object.values(periods).some(Option.isSome)))
      return yield* new AdminError({
        message:
          "Say --transcript-days, --recording-days, --tool-call-days, --message-days or --keep-messages, or --reset."
      })
    if (keepMessages && Option.isSome(periods.messageDays))
      return yield* new AdminError({ message: "Say either --message-days or --keep-messages." })
    const now = retentionOf(found)
    const policy = {
      transcriptDays: Option.getOrElse(periods.transcriptDays, () => now.transcriptDays),
      recordingDays: Option.getOrElse(periods.recordingDays, () => now.recordingDays),
      toolCallDays: Option.getOrElse(periods.toolCallDays, () => now.toolCallDays),
      messageDays: keepMessages ? null : Option.getOrElse(periods.messageDays, () => now.messageDays)
    }
    if (!Schema.is(RetentionPolicy)(policy))
      return yield* new AdminError({ message: "Days must be whole numbers from 1 to 3650." })
    const { setRetention } = yield* makeManageOrganization
    yield* answer(json, { id: found.id, ...(yield* explained(setRetention(found, reset ? null : policy))) })
  })
).pipe(Command.withDescription("Set how long an Enterprise organization keeps transcripts, recordings and audits"))

export const retention = Command.make(
  "retention",
  {
    organization,
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Only count what would be removed"),
      Flag.withDefault(false)
    ),
    json
  },
  Effect.fnUntraced(function* ({ organization, dryRun, json }) {
    const found = yield* existing(organization)
    const policy = retentionOf(found)
    const now = yield* Clock.currentTimeMillis
    const { count, expire } = yield* makeRunRetention
    const removed = yield* (dryRun ? count : expire)(found.id, policy, now)
    yield* answer(json, { organizationId: found.id, dryRun, ...policy, ...removed })
  })
).pipe(Command.withDescription("Remove now what an organization has kept long enough, as the daily run does"))
