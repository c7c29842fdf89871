/** `/api/organization/retention`: how long each kind of data is kept, and what would be removed today. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { exampleOf } from "../../../domain/basics/Examples.ts"
import { enterpriseRefusal } from "../../../domain/people/organizations/Organization.ts"
import { RetentionPolicy } from "../../../domain/people/organizations/RetentionPolicy.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { needsPlan } from "../../wire/caller/CallerNeeds.ts"
import { BadRequest, Forbidden } from "../../wire/Errors.ts"

const Counts = Schema.Struct({
  transcripts: Schema.Int,
  utterances: Schema.Int,
  recordings: Schema.Int,
  toolCalls: Schema.Int,
  moderations: Schema.Int,
  messages: Schema.Int,
  carts: Schema.Int,
  /** Payment links by which nothing was paid. */
  paymentLinks: Schema.Int,
  /** Files that no message refers to. */
  unusedMedia: Schema.Int,
  events: Schema.Int,
  webhookDeliveries: Schema.Int,
  webhookResponses: Schema.Int,
  integrationChanges: Schema.Int,
  integrationArrivals: Schema.Int,
  integrationLog: Schema.Int,
  inboxLetters: Schema.Int,
  idempotencyKeys: Schema.Int,
  sessions: Schema.Int,
  devices: Schema.Int,
  /** Questions that knowledge bases did not answer. */
  unansweredQuestions: Schema.Int,
  /** Always 0, because the audit log is kept. */
  auditLog: Schema.Int
})

const Retention = Schema.Struct({ policy: RetentionPolicy, wouldRemove: Counts }).annotate({
  title: "Retention",
  examples: [
    {
      policy: exampleOf(RetentionPolicy),
      wouldRemove: {
        transcripts: 2,
        utterances: 41,
        recordings: 2,
        toolCalls: 0,
        moderations: 0,
        messages: 0,
        carts: 0,
        paymentLinks: 0,
        unusedMedia: 1,
        events: 380,
        webhookDeliveries: 12,
        webhookResponses: 12,
        integrationChanges: 0,
        integrationArrivals: 0,
        integrationLog: 12,
        inboxLetters: 96,
        idempotencyKeys: 7,
        sessions: 3,
        devices: 0,
        unansweredQuestions: 4,
        auditLog: 0
      }
    }
  ]
})
const { messageDays, ...periods } = RetentionPolicy.fields

export class RetentionGroup extends HttpApiGroup.make("retention")
  .add(
    HttpApiEndpoint.get("get", "/", { success: Retention, error: [Forbidden] }).annotateMerge(
      OpenApi.annotations({
        summary: "How long what is kept, and what would be removed now",
        description:
          "A dry run: nothing is removed. `messageDays: null` keeps messages. The run itself is once a day. OWNER or ADMIN (for a key: scope `admin`)."
      })
    ),
    HttpApiEndpoint.put("set", "/", {
      payload: Schema.Struct({
        transcriptDays: Schema.optionalKey(periods.transcriptDays),
        recordingDays: Schema.optionalKey(periods.recordingDays),
        toolCallDays: Schema.optionalKey(periods.toolCallDays),
        messageDays: Schema.optionalKey(messageDays)
      }).annotate({ examples: [{ recordingDays: 30, messageDays: 730 }] }),
      success: Retention,
      error: [BadRequest, Forbidden]
    })
      .annotateMerge(needsPlan((organization) => enterpriseRefusal("sets its own retention", organization)))
      .annotateMerge(
        OpenApi.annotations({
          summary: "Set how long what is kept",
          description:
            "Enterprise only (403 below). What is not sent keeps its period. The answer says what the next run would remove. OWNER or ADMIN. Scope `admin`."
        })
      )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/organization/retention") {}
