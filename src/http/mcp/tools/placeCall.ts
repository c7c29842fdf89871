import { Effect } from "effect"
import { z } from "zod"
import { voiceRefusal } from "../../../domain/people/organizations/Organization.ts"
import { makeRequestCall, OutboundRequest } from "../../../domain/voice/calls/outbound/RequestCall.ts"
import { callErrors, tooManyCalls } from "../../handlers/voice/voiceAgents.ts"
import { TooMany } from "../../wire/Errors.ts"
import * as arg from "../protocol/arg.ts"
import { payloadOf } from "../protocol/RestPayload.ts"
import { defineTool } from "../protocol/Tool.ts"
import { asRefusal } from "../protocol/ToolRefusal.ts"

const read = payloadOf(OutboundRequest)

export const placeCall = Effect.map(makeRequestCall, (request) =>
  defineTool({
    name: "place_call",
    title: "Place a call",
    description:
      "Lets a voice agent phone somebody, now. The agent speaks by its own instructions; you cannot speak in the call. Numbers in +1 need the stored consent " +
      "of the contact, and calls are placed within business hours only. Do not use it to send a text: use send_message. The call is queued; get_call tells how " +
      'it went. Example: {"agentId": "agt_01KAJ3…", "to": "+14155550123"}',
    toolset: "calls",
    kind: "sends",
    scope: "voice:write",
    isInPlan: (organization) => voiceRefusal(organization) === undefined,
    hints: { destructive: true },
    input: z.strictObject({
      agentId: arg.id("The voice agent that calls, agt_…; it needs a phone number."),
      to: arg.text(40, "Whom to call, with the country code, e.g. +14155550123."),
      contactId: arg.id("The contact with this number, cnt_…, when you know it.").optional()
    }),
    output: z.object({
      callId: z.string(),
      status: z.string().describe("queued at first"),
      contactId: z.string().nullable()
    }),
    run: Effect.fnUntraced(function* ({ agentId, ...args }, { principal: { organizationId } }) {
      const input = yield* asRefusal()(read(arg.defined(args)))
      const { id, status, contactId } = yield* request(organizationId, agentId, input).pipe(
        Effect.catchTag("TooManyCalls", (full) => new TooMany({ error: tooManyCalls(full) })),
        Effect.catchTags(callErrors),
        asRefusal()
      )
      return {
        structured: { callId: id, status, contactId },
        text: `Call ${id} to ${args.to} is ${status}. get_call tells how it goes on.`,
        subjectId: id
      }
    })
  })
)
