/** The rules of broadcasts: the order of states, the counts of recipients, and how a contact's fields fill a template. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type BroadcastAction, BroadcastStatus, moved } from "../../../../src/domain/messaging/broadcasts/Broadcast.ts"
import { countsOf } from "../../../../src/domain/messaging/broadcasts/BroadcastCounts.ts"
import { SkipReason, unwanted } from "../../../../src/domain/messaging/broadcasts/BroadcastRecipient.ts"
import { parameterTexts, personal } from "../../../../src/domain/messaging/templates/TemplateComponents.ts"

const asha = {
  id: "cnt_1",
  name: "Asha Rao",
  phone: "+14155550101",
  email: null,
  optedIn: true,
  archived: false,
  withdrew: false,
  reachable: true
}

describe("a broadcast", () => {
  const actions: ReadonlyArray<BroadcastAction> = ["start", "pause", "resume", "cancel"]

  it.each([
    ["draft", "running", undefined, undefined, "cancelled"],
    ["scheduled", "running", undefined, undefined, "cancelled"],
    ["running", "running", "paused", "running", "cancelled"],
    ["paused", undefined, "paused", "running", "cancelled"],
    ["completed", undefined, undefined, undefined, undefined],
    ["cancelled", undefined, undefined, undefined, "cancelled"],
    ["failed", undefined, undefined, undefined, undefined]
  ] as const)("that is %s can be started: %s, paused: %s, resumed: %s, cancelled: %s", (status, ...expected) => {
    actions.forEach((action, i) => {
      const next = moved(status, action)
      assert.strictEqual("status" in next ? next.status : undefined, expected[i], action)
      if ("problem" in next)
        assert.match(next.problem, /^This broadcast is \w+ and cannot be \w+: only one that is .* can be\.$/)
    })
  })

  it("that has ended stays as it is, whatever is asked", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...BroadcastStatus.literals),
        fc.array(fc.constantFrom(...actions)),
        (start, asked) => {
          let status = start
          for (const action of asked) {
            const next = moved(status, action)
            if (["completed", "failed", "cancelled"].includes(status) && "status" in next)
              assert.strictEqual(next.status, status)
            if ("status" in next) status = next.status
          }
        }
      )
    )
  })

  it("counts each recipient in exactly one place", () => {
    const row = fc.record({
      status: fc.constantFrom(
        "waiting",
        "queued",
        "unknown",
        "sent",
        "delivered",
        "read",
        "failed",
        "skipped" as const
      ),
      reason: fc.constantFrom(...SkipReason.literals),
      count: fc.nat(1_000_000)
    })
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const { total, queued, unknown, sent, delivered, read, failed, skipped, skippedBy } = countsOf(rows)
        assert.strictEqual(
          total,
          rows.reduce((sum, { count }) => sum + count, 0)
        )
        assert.strictEqual(total, queued + unknown + sent + delivered + read + failed + skipped)
        assert.strictEqual(
          skipped,
          Object.values(skippedBy).reduce((sum, count) => sum + count, 0)
        )
      })
    )
  })

  it.each([
    [undefined, "erased"],
    [{ ...asha, archived: true, optedIn: false }, "archived"],
    [{ ...asha, optedIn: false, withdrew: true, reachable: false }, "opted_out"],
    [{ ...asha, optedIn: false, reachable: false }, "never_opted_in"],
    [{ ...asha, withdrew: true }, undefined],
    [{ ...asha, phone: null, reachable: false }, "no_phone"],
    [{ ...asha, phone: null }, undefined],
    [asha, undefined]
  ])("skips a contact for exactly one reason", (contact, reason) => {
    assert.strictEqual(unwanted(contact), reason)
  })

  it("fills the texts of parameters, and nothing else", () => {
    const components = [
      { type: "header", parameters: [{ type: "image", image: { link: "https://acme.example/{{phone}}.png" } }] },
      { type: "body", parameters: [{ type: "text", parameter_name: "name", text: "Dear\n  {{name}}" }] },
      { type: "button", sub_type: "url", index: 0, parameters: [{ type: "text", text: "plain" }] }
    ]
    assert.deepStrictEqual(personal(components, asha), {
      components: [
        { type: "header", parameters: [{ type: "image", image: { link: "https://acme.example/+14155550101.png" } }] },
        { type: "body", parameters: [{ type: "text", parameter_name: "name", text: "Dear Asha Rao" }] },
        components[2]
      ]
    })
    assert.deepStrictEqual(personal([{ type: "body", parameters: [{ type: "text", text: "{{email}}" }] }], asha), {
      missing: "email"
    })
    assert.include(parameterTexts(components), "plain")
  })

  it("leaves components without placeholders as they are", () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue())), (given) => {
        const components = JSON.parse(JSON.stringify(given).replaceAll("{{", "{ {"))
        assert.deepStrictEqual(personal(components, asha), { components })
      })
    )
  })
})
