import { assert, describe, it } from "@effect/vitest"
import { cardOf } from "../../../../src/domain/apps/chat/ChatLine.ts"
import { exampleOf } from "../../../../src/domain/basics/Examples.ts"
import { ConversationDetail } from "../../../../src/domain/messaging/conversations/Conversation.ts"
import { Message } from "../../../../src/domain/messaging/conversations/Message.ts"

const example = exampleOf(ConversationDetail)
const terms = { publicBaseUrl: "https://app.example.test", timeZone: "UTC", holder: null }
const message = (direction: "inbound" | "outbound", text: string): Message => ({
  ...exampleOf(Message),
  direction,
  type: "text",
  content: { text }
})

/** The card of a conversation with these messages, newest first. */
const shown = (...messages: ReadonlyArray<Message>) =>
  cardOf({ ...example, status: "OPEN", assignee: null, messages, lastMessage: messages[0] ?? null }, terms).text

describe("the card of a conversation that waits for people", () => {
  it("quotes what the contact wrote last, not what the agent said when it handed over", () => {
    const handOver = message("outbound", "I have passed this on to a colleague.")
    const text = shown(handOver, message("inbound", "My parcel is broken."), message("inbound", "Hello?"))
    assert.include(text, "“My parcel is broken.”")
    assert.notInclude(text, "passed this on")
  })

  it("passes over a reaction", () => {
    const thumb = { ...message("inbound", ""), type: "reaction", content: { emoji: "👍" } } as const
    assert.include(shown(thumb, message("inbound", "Is it open?")), "“Is it open?”")
  })

  it("quotes what we wrote last when the contact has written nothing, and nothing when nobody has", () => {
    assert.include(shown(message("outbound", "Your order is ready.")), "“Your order is ready.”")
    assert.notInclude(shown(), "“")
  })
})
