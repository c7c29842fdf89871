/** What is found wrong with a template message before it goes out. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { checkTemplate } from "../../../../src/domain/messaging/templates/CheckTemplate.ts"
import { placeholdersOf, slotsOf } from "../../../../src/domain/messaging/templates/TemplateSlots.ts"
import type { Template } from "../../../../src/domain/messaging/templates/Templates.ts"

const made = (components: ReadonlyArray<object>, changes: Partial<Template> = {}): Template => ({
  id: "tpl_1",
  organizationId: "org_1",
  channelTemplateId: "1",
  name: "order_update",
  language: "en_US",
  status: "APPROVED",
  category: "UTILITY",
  components: JSON.parse(JSON.stringify(components)),
  parameters: slotsOf(components),
  rejectedReason: null,
  syncedAt: "2026-11-21T00:00:00.000Z",
  createdAt: "2026-11-21T00:00:00.000Z",
  updatedAt: "2026-11-21T00:00:00.000Z",
  ...changes
})

const plain = made([{ type: "BODY", text: "Hello." }])
const two = made([
  { type: "HEADER", format: "TEXT", text: "Order {{1}}" },
  { type: "BODY", text: "Hello {{1}}, order {{2}} left. Bye {{1}}." }
])
const named = made([{ type: "BODY", text: "Hello {{first_name}}, order {{order_id}} left." }])
const picture = made([
  { type: "HEADER", format: "IMAGE" },
  { type: "BODY", text: "New in the shop." },
  {
    type: "BUTTONS",
    buttons: [
      { type: "QUICK_REPLY", text: "Stop" },
      { type: "URL", text: "Track", url: "https://acme.example/{{1}}" },
      { type: "PHONE_NUMBER", text: "Call", phone_number: "+14155550100" },
      { type: "COPY_CODE", example: ["X"] }
    ]
  }
])

const text = (value: string, parameter_name?: string) => ({
  type: "text",
  text: value,
  ...(parameter_name === undefined ? {} : { parameter_name })
})
const body = (...parameters: ReadonlyArray<object>) => ({ type: "body", parameters })
const header = (...parameters: ReadonlyArray<object>) => ({ type: "header", parameters })
const button = (sub_type: string, index: string | number, ...parameters: ReadonlyArray<object>) => ({
  type: "button",
  sub_type,
  index,
  parameters
})
const image = { type: "image", image: { link: "https://acme.example/a.jpg" } }
const link = button("url", "1", text("17"))
const coupon = button("copy_code", "3", { type: "coupon_code", coupon_code: "SAVE" })

const check = (templates: ReadonlyArray<Template>, components?: unknown, language = "en_US", synced = true) =>
  checkTemplate({ templates, synced }, { templateName: "order_update", language, components })

describe("a template message", () => {
  it.each<[string, Template, unknown]>([
    ["without parameters", plain, undefined],
    ["with an empty list", plain, []],
    ["with an empty body", plain, [body()]],
    ["with header and body", two, [header(text("17")), body(text("Asha"), text("17"))]],
    ["with money and a date", two, [header(text("17")), body({ type: "currency" }, { type: "date_time" })]],
    ["with names, in any order", named, [body(text("17", "order_id"), text("Asha", "first_name"))]],
    ["with picture, link and code", picture, [header(image), link, coupon]],
    [
      "with the payload of a quick reply too",
      picture,
      [header(image), button("quick_reply", 0, { type: "payload", payload: "STOP" }), link, coupon]
    ],
    ["of a kind only the channel can judge", plain, [{ type: "carousel", cards: [] }]]
  ])("%s fits", (_, template, components) => {
    assert.isUndefined(check([template], components))
  })

  it.each<[string, ReadonlyArray<Template>, unknown, RegExp, (string | undefined)?, boolean?]>([
    ["before the first sync", [], undefined, /not synced yet: sync them first/, undefined, false],
    ["that does not exist", [], undefined, /no template named order_update/],
    [
      "in another language",
      [plain, made([], { language: "hi_IN" })],
      undefined,
      /not exist in de; it exists in en_US, hi_IN/,
      "de"
    ],
    [
      "that is only left in a language that was removed",
      [made([], { status: "REMOVED", language: "de" })],
      undefined,
      /no template named/
    ],
    ["that is pending", [made([], { status: "PENDING" })], undefined, /status at the channel is PENDING/],
    ["that was rejected", [made([], { status: "REJECTED", rejectedReason: "SCAM" })], undefined, /REJECTED: SCAM/],
    ["that was removed", [made([], { status: "REMOVED" })], undefined, /was removed at the channel/],
    ["without its body", [two], [header(text("17"))], /the body needs 2 parameters, and 0 came/],
    ["with too few texts", [two], [header(text("1")), body(text("Asha"))], /the body needs 2 parameters, and 1 came/],
    ["with too many texts", [plain], [body(text("Asha"))], /the body of this template takes no parameters/],
    ["with two bodies", [two], [header(text("1")), body(text("a"), text("b")), body()], /the body is given 2 times/],
    [
      "with a picture for a text",
      [two],
      [header(image), body(text("a"), text("b"))],
      /the header takes parameters of type text, not image/
    ],
    [
      "with a text for a picture",
      [picture],
      [header(text("a")), link, coupon],
      /the header takes parameters of type image, not text/
    ],
    [
      "without its link",
      [picture],
      [header(image), coupon],
      /the button 1 \(sub_type url\) needs 1 parameter, and 0 came/
    ],
    [
      "with a button that takes nothing",
      [picture],
      [header(image), link, coupon, button("voice_call", "2", text("x"))],
      /the button 2 of this template takes no/
    ],
    [
      "with a button that is not there",
      [picture],
      [header(image), link, coupon, button("url", "7", text("x"))],
      /the button 7 of this/
    ],
    ["with a name missing", [named], [body(text("Asha", "first_name"), text("17"))], /needs parameter_name order_id/],
    ["with a stray component", [plain], [{ type: "footer" }], /components of type footer are not known/],
    ["with components that are none", [plain], "x", /components must be a list/],
    ["with a component that is none", [plain], ["x"], /each of components must be an object/],
    [
      "with a parameter that is none",
      [two],
      [header("17" as never), body(text("a"), text("b"))],
      /the header takes parameters of type text/
    ]
  ])("%s is refused with a sentence", (_, templates, components, sentence, language, synced) => {
    const problem = check(templates, components, language, synced)
    assert.match(problem ?? "nothing", sentence)
    assert.match(problem ?? "", /^[A-Z].*\.$|\(POST .*\)\.$/s)
  })

  it("takes exactly as many texts as its body has places", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 12 }), (places, given) => {
        const wanted = Array.from({ length: places }, (_, i) => `x {{${i + 1}}} y`).join(" ")
        const template = made([{ type: "BODY", text: wanted }])
        const problem = check([template], [body(...Array.from({ length: given }, (_, i) => text(`v${i}`)))])
        assert.strictEqual(problem === undefined, places === given, problem)
      })
    )
  })

  it("never throws, whatever is sent", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (components) => {
        const problem = check([picture], components)
        assert.isTrue(problem === undefined || problem.endsWith("."))
      })
    )
  })

  it("counts a placeholder once, however it is spaced", () => {
    assert.deepStrictEqual(placeholdersOf("{{1}} {{ 2 }} {{1}} {{ }} {3} {{x-y}}"), ["1", "2"])
  })

  it("of authentication brings its code for body and button", () => {
    const otp = made([
      { type: "BODY", add_security_recommendation: true },
      { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE" }] }
    ])
    assert.isUndefined(check([otp], [body(text("1234")), button("url", "0", text("1234"))]))
    assert.match(check([otp], [body(text("1234"))]) ?? "", /the button 0/)
  })
})
