/** What people send that is no text: places, contact cards and reactions. The service's own schema judges what the pages make. */
import { Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Message, TimelineEntry } from "../../clients/typescript/src/generated/types.ts"
import { SendRequest } from "../../src/domain/messaging/sending/SendRequest.ts"
import type { Outgoing } from "../../web/src/api/outgoing.ts"
import { cardMessage, isWholeCard } from "../../web/src/features/composer/card.ts"
import { readPlace } from "../../web/src/features/composer/place.ts"
import { canReactTo, isQuiet, reactionsOf, reactsTo } from "../../web/src/features/thread/reactions.ts"
import { aMessage } from "../support/aMessage.ts"

const isTaken = Schema.is(SendRequest)
const to = "cnt_01KAJ3S1P8C5Y6Z7A8B9C0D1E2"

describe("the place that a text names", () => {
  it("is read from coordinates and from the links of maps", () => {
    const taj = { latitude: 18.92172, longitude: 72.83312 }
    const texts = [
      "18.92172, 72.83312",
      " 18.92172 72.83312 ",
      "geo:18.92172,72.83312?z=17",
      "https://www.openstreetmap.org/?mlat=18.92172&mlon=72.83312#map=17/18.92/72.83",
      "https://www.openstreetmap.org/#map=17/18.92172/72.83312",
      "https://maps.google.com/?q=18.92172%2C72.83312",
      "https://www.google.com/maps/search/?api=1&query=18.92172,72.83312",
      "https://www.google.com/maps/@18.92172,72.83312,17z",
      "https://www.google.com/maps/place/Taj/@18.9,72.8,17z/data=!3m1!4b1!4m6!3m5!8m2!3d18.92172!4d72.83312!16zL20"
    ]
    for (const text of texts) expect(readPlace(text), text).toEqual(taj)
  })
  it("is none where there are no coordinates, or impossible ones", () => {
    for (const text of [
      "",
      "Gateway of India",
      "18.92172",
      "91, 10",
      "10, 181",
      "https://maps.app.goo.gl/Ab3dE",
      "1,2,3"
    ])
      expect(readPlace(text), text).toBeUndefined()
  })
  it("is what was written, wherever on earth, and the service takes it", () => {
    const coordinate = (most: number) => fc.integer({ min: -most * 1e5, max: most * 1e5 }).map((n) => n / 1e5)
    fc.assert(
      fc.property(coordinate(90), coordinate(180), (latitude, longitude) => {
        const place = readPlace(`${latitude.toFixed(5)}, ${longitude.toFixed(5)}`)
        expect(place?.latitude).toBeCloseTo(latitude, 5)
        expect(place?.longitude).toBeCloseTo(longitude, 5)
        expect(isTaken({ to, type: "location", ...place, name: "Shop" })).toBe(true)
      })
    )
  })
  it("is never read wrong from a text of any kind", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const place = readPlace(text)
        if (place !== undefined) expect(isTaken({ to, type: "location", ...place, name: "Shop" })).toBe(true)
      })
    )
  })
})

describe("a contact card", () => {
  it("is whole with a name and a way to reach the person", () => {
    const card = { name: "Asha Rao", phone: "", email: "", company: "" }
    expect(isWholeCard(card)).toBe(false)
    expect(isWholeCard({ ...card, email: "asha@example.com" })).toBe(true)
    expect(isWholeCard({ ...card, name: " ", phone: "+14155550123" })).toBe(false)
  })
  it("has the parts of the name that the channel asks for", () => {
    const fields = { name: " Asha  Rao Lind ", phone: "+14155550123", email: "", company: "Maple Books" }
    expect(cardMessage(to, fields)).toEqual({
      to,
      type: "contact",
      contacts: [
        {
          name: { formatted_name: "Asha  Rao Lind", first_name: "Asha", last_name: "Rao Lind" },
          phones: [{ phone: "+14155550123", type: "WORK" }],
          org: { company: "Maple Books" }
        }
      ]
    })
  })
  it("is taken by the service, whatever is typed into a whole one", () => {
    const words = fc.string({ unit: fc.constantFrom(..."aZ é-'1. "), minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(fc.record({ name: words, phone: words, email: words, company: words }), (fields) => {
        if (isWholeCard(fields)) expect(isTaken(cardMessage(to, fields)), JSON.stringify(fields)).toBe(true)
      })
    )
  })
})

const message = (changes: Partial<Message>): Message => ({ ...aMessage, channelMessageId: "wamid.1", ...changes })
const reaction = (direction: Message["direction"], emoji: string, changes: Partial<Message> = {}): TimelineEntry =>
  ({
    at: "2026-11-26T09:01:00.000Z",
    message: message({ id: "msg_2", direction, type: "reaction", content: { messageId: "msg_1", emoji }, ...changes })
  }) as TimelineEntry
const outgoing = (emoji: string, state: Outgoing["state"]): Outgoing => ({
  key: "k",
  conversationId: "conv_1",
  body: { to, type: "reaction", messageId: "msg_1", emoji },
  createdAt: "2026-11-26T09:02:00.000Z",
  state
})

describe("reactions to a message", () => {
  it("are the last ones of each side", () => {
    const found = reactionsOf([reaction("inbound", "👍"), reaction("outbound", "🙏"), reaction("inbound", "❤️")], [])
    expect(found.get("msg_1")).toEqual({ theirs: "❤️", ours: "🙏" })
  })
  it("are gone once they are taken back", () => {
    expect(reactionsOf([reaction("outbound", "👍"), reaction("outbound", "")], []).size).toBe(0)
  })
  it("are shown while they are on their way, and not when they have failed", () => {
    expect(reactionsOf([], [outgoing("👍", "sending")]).get("msg_1")).toEqual({ ours: "👍", pending: true })
    expect(isQuiet(outgoing("👍", "sending"))).toBe(true)
    expect(reactionsOf([], [outgoing("👍", "failed")]).size).toBe(0)
    expect(isQuiet(outgoing("👍", "failed"))).toBe(false)
  })
  it("that the channel has refused stand in the thread by themselves, with the reason", () => {
    const refused = reaction("outbound", "👍", {
      status: "failed",
      failure: { code: "131047", reason: "The window is closed." }
    })
    expect(reactionsOf([refused], []).size).toBe(0)
    expect(refused.message && reactsTo(refused.message)).toBeUndefined()
  })
  it("are possible to what the channel knows, and not to another reaction", () => {
    expect(canReactTo(message({}))).toBe(true)
    expect(canReactTo(message({ channelMessageId: null, direction: "outbound", status: "queued" }))).toBe(false)
    expect(canReactTo(message({ type: "reaction" }))).toBe(false)
    expect(canReactTo(message({ channel: "team_chat" }))).toBe(false)
  })
})
