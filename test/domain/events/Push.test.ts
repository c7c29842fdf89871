import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { problemOf } from "../../../simulators/push/Fcm.ts"
import {
  audienceOf,
  type PushedConversation,
  previewOf,
  pushBackOff,
  pushContent,
  pushedTypes
} from "../../../src/domain/events/Push.ts"
import { fcmMessage } from "../../../src/integrations/push/Fcm.ts"

const free: PushedConversation = {
  id: "cnv_1",
  contactId: "cnt_1",
  contactName: "Asha Rao",
  assignedUserId: null,
  assignedAgentId: null
}
const theirs = { ...free, assignedUserId: "usr_1" }
const agents = { ...free, assignedAgentId: "agt_1" }
const nobody = { userIds: [], leaders: false }
const unsaid = { assignee: null, by: null }
const only = { userIds: ["usr_1"], leaders: false }

describe("the people whom a push notification reaches", () => {
  it("are, for a message, the assignee, or everybody without one, or nobody when an AI agent answers", () => {
    assert.deepStrictEqual(audienceOf("message.received", theirs, unsaid), only)
    assert.strictEqual(audienceOf("message.received", free, unsaid), "everybody")
    assert.deepStrictEqual(audienceOf("message.received", agents, unsaid), nobody)
  })

  it("are, for an assignment, the person it names, as long as it holds", () => {
    assert.deepStrictEqual(audienceOf("conversation.assigned", theirs, { assignee: "usr_1", by: "usr_2" }), only)
    assert.deepStrictEqual(audienceOf("conversation.assigned", theirs, { assignee: "usr_1", by: null }), only)
    for (const [now, named] of [
      [theirs, "usr_2"],
      [free, "usr_1"],
      [agents, "agt_1"],
      [free, null]
    ] as const)
      assert.deepStrictEqual(audienceOf("conversation.assigned", now, { assignee: named, by: null }), nobody)
  })

  it("are not those who took the conversation themselves, by a button or an answer", () => {
    assert.deepStrictEqual(audienceOf("conversation.assigned", theirs, { assignee: "usr_1", by: "usr_1" }), nobody)
  })

  it("are, for an overdue answer, the assignee and the leads, or everybody without an assignee", () => {
    assert.deepStrictEqual(audienceOf("conversation.sla_breached", theirs, unsaid), {
      userIds: ["usr_1"],
      leaders: true
    })
    assert.strictEqual(audienceOf("conversation.sla_breached", free, unsaid), "everybody")
  })
})

describe("a push notification", () => {
  const message = { type: "text", content: { text: "My card is 4111 1111" } } as const

  it("shows nothing of the contact and the message unless the organization wants it", () => {
    for (const type of pushedTypes)
      assert.notMatch(JSON.stringify(pushContent(type, theirs, message, false)), /Asha|4111/)
    assert.deepInclude(pushContent("message.received", theirs, message, true), {
      title: "Asha Rao",
      body: "My card is 4111 1111"
    })
    assert.strictEqual(
      pushContent("conversation.sla_breached", { ...theirs, contactName: null }, undefined, true).body,
      "A contact waits for an answer."
    )
  })

  it("shows a preview of one short line, whatever was written", () => {
    assert.strictEqual(previewOf({ type: "image", content: {} }), "Sent a picture.")
    assert.strictEqual(previewOf({ type: "image", content: { caption: "our\n\nhouse" } }), "our house")
    assert.strictEqual(previewOf({ type: "unsupported", content: {} }), "Sent a message.")
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 500 }), (text) => {
        const preview = previewOf({ type: "text", content: { text } })
        assert.isAtMost([...preview].length, 80)
        assert.notMatch(preview, /[\p{Cc}\p{Cs}\u2028\u2029]/u)
      })
    )
  })

  it("is valid for FCM, whatever the contact's name and message", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 300 }),
        fc.option(fc.string({ unit: "binary", maxLength: 200 })),
        fc.constantFrom(...pushedTypes),
        fc.boolean(),
        (text, contactName, type, preview) => {
          const content = pushContent(
            type,
            { ...theirs, id: `cnv_${"0".repeat(26)}`, contactName },
            { type: "text", content: { text } },
            preview
          )
          assert.isUndefined(problemOf(fcmMessage({ ...content, token: "x" })))
        }
      )
    )
  })
})

describe("trying again", () => {
  it("waits longer each time, up to ten minutes, and never less than the server asked for", () => {
    assert.deepStrictEqual(
      [0, 1, 2, 10].map((n) => pushBackOff(n, null, 0)),
      [5_000, 10_000, 20_000, 600_000]
    )
    assert.strictEqual(pushBackOff(0, 90_000, 0), 90_000)
    assert.isAtMost(pushBackOff(0, null, 1), 6_000)
  })
})
