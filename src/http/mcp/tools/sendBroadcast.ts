import { Effect } from "effect"
import { z } from "zod"
import { Instant } from "../../../domain/basics/Calendar.ts"
import { Audience } from "../../../domain/messaging/broadcasts/Audience.ts"
import { makeManageBroadcasts } from "../../../domain/messaging/broadcasts/ManageBroadcasts.ts"
import { callerId } from "../../../domain/people/access/Access.ts"
import { plans } from "../../../domain/people/organizations/Organization.ts"
import { broadcastActionErrors, broadcastErrors } from "../../handlers/messaging/broadcasts.ts"
import { makeNeedChannel } from "../../handlers/messaging/needChannel.ts"
import * as arg from "../protocol/arg.ts"
import { payloadOf } from "../protocol/RestPayload.ts"
import { defineTool } from "../protocol/Tool.ts"
import { asRefusal } from "../protocol/ToolRefusal.ts"
import { makeTemplateComponents, templateFields } from "./templateFields.ts"

const [readAudience, readInstant] = [payloadOf(Audience), payloadOf(Instant)]

const input = z.strictObject({
  name: arg.text(120, "A name by which people find it, up to 120 characters."),
  ...templateFields,
  tags: z.array(z.string().max(64)).max(50).optional().describe("Contacts with any of these tags."),
  contactIds: z.array(z.string().max(80)).max(1_000).optional().describe("These contacts, cnt_…, up to 1,000."),
  everybody: z.boolean().optional().describe("True: every contact who opted in."),
  scheduledAt: arg
    .text(40, "When to start, with the offset from UTC, e.g. 2026-11-26T09:00:00Z; now when left out.")
    .optional(),
  dryRun: z.boolean().optional().describe("True: sends nothing and counts whom it would reach. Do this first.")
})

export const sendBroadcast = Effect.gen(function* () {
  const { preview, create, act } = yield* makeManageBroadcasts
  const needChannel = yield* makeNeedChannel
  const componentsOf = yield* makeTemplateComponents
  return defineTool({
    name: "send_broadcast",
    title: "Send a broadcast",
    description:
      "Sends one APPROVED template to many contacts, now or at a time. Only contacts who opted in get it. Call it with dryRun first, tell the person how " +
      "many it reaches, and send it when they agree: it cannot be taken back. Do not use it for one contact: use send_message. " +
      'Example: {"name": "Autumn reading", "templateName": "reading", "language": "en_US", "tags": ["book club"], "dryRun": true}',
    toolset: "messaging",
    kind: "sends",
    scope: "messages:send",
    isInPlan: ({ plan }) => plans[plan].broadcastSize !== 0,
    hints: { destructive: true },
    acts: (args) => Reflect.get(args, "dryRun") !== true,
    input,
    output: z.object({
      broadcastId: z.string().nullable().describe("Null after a dryRun."),
      status: z.string().describe("running, scheduled, or dry run"),
      recipients: z.int().describe("How many get the message."),
      skipped: z.int().describe("How many of the audience do not: not opted in, no number, archived."),
      scheduledAt: z.string().nullable()
    }),
    run: Effect.fnUntraced(function* (args, { principal }) {
      const { organizationId } = principal
      const { name, templateName, language, tags, contactIds, everybody, dryRun, scheduledAt } = args
      const named = arg.defined({ tags, contactIds, all: everybody === true ? true : undefined })
      const audience = yield* asRefusal()(readAudience(named))
      const startsAt = scheduledAt === undefined ? undefined : Date.parse(yield* asRefusal()(readInstant(scheduledAt)))
      const components = yield* componentsOf(organizationId, args)
      const wanted = { name, templateName, language, audience, components, ...arg.defined({ scheduledAt: startsAt }) }
      const counts = yield* preview(organizationId, wanted).pipe(Effect.catchTags(broadcastErrors), asRefusal())
      const { recipients } = counts
      const skipped = counts.total - recipients
      if (dryRun === true)
        return {
          structured: { broadcastId: null, status: "dry run", recipients, skipped, scheduledAt: scheduledAt ?? null },
          text: `It would reach ${recipients} of ${counts.total} contacts. Nothing was sent.`
        }
      yield* asRefusal()(needChannel(organizationId))
      const made = yield* create(organizationId, wanted, callerId(principal)).pipe(
        Effect.catchTags(broadcastErrors),
        asRefusal()
      )
      // A repeated call finds the broadcast of the first one, which may run already.
      const begins = made.status === "draft"
      const moved = begins
        ? yield* act(organizationId, made.id, "start").pipe(Effect.catchTags(broadcastActionErrors), asRefusal())
        : made
      const { id, status, scheduledAt: at } = moved ?? made
      return {
        structured: { broadcastId: id, status, recipients, skipped, scheduledAt: at },
        text: `Broadcast ${id} is ${status}${at === null ? "" : ` for ${at}`}: ${recipients} recipients, ${skipped} skipped.`,
        subjectId: id
      }
    })
  })
})
