/** Identifiers with control characters in webhooks of the telephony provider, on the real stores: the database cannot hold NUL. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TelephonyConnections } from "../../../../src/domain/voice/telephony/PhoneNumber.ts"
import { startMessaging } from "../../../support/messaging.ts"
import { account, hooks, incoming, post } from "../../telephone.ts"

const strange = ["\0", "CA\0", "\u0001", "\u001f\u007f", "\ud800", "\u2028"]
const paths = [
  ...["/voice", "/voice/continue", "/outbound/call_1", "/status?call=call_1", "/transfer/ended?transfer=trf_1"],
  ...[
    "/queue/wait?transfer=trf_1",
    "/queue/left?transfer=trf_1",
    "/message/ended?call=call_1",
    "/message/recorded?call=call_1"
  ]
]
const fields = [
  ...[
    "CallSid",
    "ConferenceSid",
    "From",
    "To",
    "RecordingUrl",
    "RecordingSid",
    "RecordingStatus",
    "CallStatus",
    "ErrorUrl"
  ],
  ...["SequenceNumber", "Timestamp", "CallDuration", "DialCallStatus", "QueueResult", "AnsweredBy", "DialCallSid"]
]

describe("a webhook of the telephony provider with control characters", () => {
  it.live("is refused with 403 when it names an account with them, unsigned or signed", () =>
    Effect.flatMap(startMessaging, ({ world }) =>
      Effect.promise(async () => {
        const path = `${hooks}/voice`
        for (const AccountSid of strange) {
          const signed = await post(world, path, { ...incoming, AccountSid })
          const unsigned = await fetch(world.base + path, { method: "POST", body: new URLSearchParams({ AccountSid }) })
          assert.deepStrictEqual([signed.status, unsigned.status], [403, 403], JSON.stringify(AccountSid))
        }
      })
    )
  )

  it.live("is never answered with 500 when it is signed, whichever field has them", () =>
    Effect.flatMap(startMessaging, ({ world, run, organizationId }) =>
      Effect.promise(async () => {
        await run(Effect.flatMap(TelephonyConnections, ({ save }) => save({ ...account, organizationId })))
        const seen = new Set<number>()
        for (const path of paths)
          for (const field of fields) {
            const text = strange[seen.size % 2]
            const { status } = await post(world, hooks + path, { ...incoming, [field]: text })
            assert.include([200, 400, 404], status, `${path} ${field}`)
            seen.add(status)
          }
        for (const text of strange) {
          const all = Object.fromEntries(fields.map((field) => [field, text]))
          for (const path of paths) {
            const { status } = await post(world, hooks + path, { ...incoming, ...all })
            assert.include([200, 400, 404], status, `${path} ${JSON.stringify(text)}`)
          }
        }
        assert.isTrue(seen.has(200))
      })
    )
  )
})
