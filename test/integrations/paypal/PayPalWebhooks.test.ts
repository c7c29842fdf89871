/** Webhooks of PayPal, signed with a chain of certificates of our own. */
import { X509Certificate } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import fc from "fast-check"
import { issue } from "../../../simulators/payments/Certificates.ts"
import { type PayPalSimulator, payPalClient, start } from "../../../simulators/payments/PayPal.ts"
import { AppFailure, type AppSession } from "../../../src/domain/apps/AppSession.ts"
import { amountOf } from "../../../src/domain/business/records/Money.ts"
import { make } from "../../../src/integrations/paypal/PayPal.ts"
import { fromPayPal, payPalProblem, toPayPal } from "../../../src/integrations/paypal/PayPalAmounts.ts"
import { keyOfChain } from "../../../src/integrations/paypal/PayPalCertificates.ts"
import { payPalEvents, signedText } from "../../../src/integrations/paypal/PayPalWebhooks.ts"

const webhookId = "1JE4291016473214C"
const now = Date.now()

/** A session whose requests reach the simulator, and nobody else. */
const sessionOf = (paypal: PayPalSimulator): AppSession => ({
  organizationId: "org_1",
  settings: { sandbox: true },
  credentials: { ...payPalClient, webhookId },
  fetch: () => Effect.die("no files"),
  ask: ({ url }) =>
    url.startsWith(paypal.url)
      ? Effect.promise(async () => {
          const answer = await fetch(url)
          return { status: answer.status, headers: {}, text: await answer.text() }
        })
      : Effect.fail(new AppFailure({ action: "retry", message: "Nobody answers." }))
})

const withPayPal = async (tell: (paypal: PayPalSimulator) => Promise<void>) => {
  const paypal = await start()
  await tell(paypal).finally(paypal.close)
}

const inboundOf = (paypal: PayPalSimulator, roots = [paypal.chain.root.pem]) => {
  const { inbound } = make({ baseUrl: "https://api-m.paypal.com", sandboxUrl: paypal.url, roots })
  assert.isDefined(inbound)
  return inbound
}

const event = (
  resource: object,
  type: string = "PAYMENT.CAPTURE.COMPLETED",
  created: unknown = new Date(now).toISOString()
) => JSON.stringify({ id: "WH-1", event_type: type, create_time: created, resource })
const capture = {
  ...{ id: "3C679366HH908993F", status: "COMPLETED", amount: { currency_code: "USD", value: "12.00" } },
  ...{ custom_id: "pay_1", create_time: "2026-01-01T00:00:00Z" }
}

const refusal = async (paypal: PayPalSimulator, body: string, headers: object, roots?: ReadonlyArray<string>) => {
  const request = {
    headers: { ...headers } as Record<string, string>,
    body: Buffer.from(body),
    url: "https://app.test"
  }
  const verified = inboundOf(paypal, roots === undefined ? undefined : [...roots]).verify(
    sessionOf(paypal),
    request,
    now
  )
  return Effect.runPromise(
    Effect.match(verified, {
      onSuccess: () => undefined,
      onFailure: (error) => (error._tag === "AppRejection" ? `${error.status} ${error.message}` : error.message)
    })
  )
}

describe("the signature of PayPal", () => {
  it("covers the text of the published vector", () => {
    const body = Buffer.from('{"id":"WH-1","event_type":"CHECKOUT.ORDER.APPROVED"}')
    assert.strictEqual(
      signedText("69cd13f0-d67a-11e5-baa3-778b53f4ae55", "2026-01-01T00:00:00Z", webhookId, body),
      "69cd13f0-d67a-11e5-baa3-778b53f4ae55|2026-01-01T00:00:00Z|1JE4291016473214C|344488721"
    )
  })

  it("is taken by the chain of a trusted root, and refused when a byte, the registration, the key or the root differs", () =>
    withPayPal(async (paypal) => {
      const body = event(capture)
      const headers = paypal.signed(body, webhookId)
      assert.isUndefined(await refusal(paypal, body, headers))
      assert.match(String(await refusal(paypal, `${body} `, headers)), /401 The signature does not fit/)
      assert.match(
        String(await refusal(paypal, body, paypal.signed(body, "ANOTHER"))),
        /401 The signature does not fit/
      )
      const stranger = issue({ name: "stranger", isAuthority: false })
      assert.match(String(await refusal(paypal, body, paypal.signed(body, webhookId, stranger.key))), /does not fit/)
      const other = issue({ name: "Simulated Root", isAuthority: true })
      assert.match(String(await refusal(paypal, body, headers, [other.pem])), /401 .*no root that is trusted/)
      assert.match(String(await refusal(paypal, body, {})), /401 PAYPAL-AUTH-ALGO/)
      assert.match(String(await refusal(paypal, "[]", paypal.signed("[]", webhookId))), /400 This is no event/)
    }))

  it("is looked for at PayPal only, under the path of its certificates", () =>
    withPayPal(async (paypal) => {
      const body = event(capture)
      for (const url of [
        "https://paypal.com.evil.test/v1/notifications/certs/CERT-1",
        "https://evilpaypal.com/v1/notifications/certs/CERT-1",
        "http://api.paypal.com/v1/notifications/certs/CERT-1",
        "https://api.paypal.com:8443/v1/notifications/certs/CERT-1",
        "https://user@api.paypal.com/v1/notifications/certs/CERT-1",
        "https://api.paypal.com/v1/notifications/certs/../../oauth2/token",
        `${paypal.url}/v1/oauth2/token`,
        "no address"
      ]) {
        const headers = { ...paypal.signed(body, webhookId), "paypal-cert-url": url }
        assert.match(String(await refusal(paypal, body, headers)), /401 PAYPAL-CERT-URL is no address of PayPal/, url)
      }
    }))
})

describe("a chain of certificates", () => {
  const root = issue({ name: "Root", isAuthority: true })
  const roots = [new X509Certificate(root.pem)]
  const name = "messageverificationcerts.paypal.com"
  const middle = issue({ name: "Intermediate", isAuthority: true, issuer: root })
  const leaf = issue({ name, isAuthority: false, issuer: middle })
  const read = (...pems: ReadonlyArray<string>) => keyOfChain(pems.join(""), roots, now)

  it("is taken in any order, with the root or without it", () => {
    for (const pems of [
      [leaf.pem, middle.pem],
      [leaf.pem, middle.pem, root.pem],
      [leaf.pem, root.pem, middle.pem]
    ])
      assert.isObject(read(...pems))
  })

  it("is refused when it has a gap, is over or not yet begun, names another, or an issuer is no authority", () => {
    const over = issue({ name: "Intermediate", isAuthority: true, issuer: root, until: now - 1_000 })
    const early = issue({ name, isAuthority: false, issuer: root, from: now + 3_600_000 })
    const other = issue({ name: "paypal.com.evil.test", isAuthority: false, issuer: root })
    const noAuthority = issue({ name: "Intermediate", isAuthority: false, issuer: root })
    const cases: ReadonlyArray<readonly [string | { readonly key: unknown }, RegExp]> = [
      [read(leaf.pem), /no root that is trusted/],
      [read(issue({ name, isAuthority: false, issuer: over }).pem, over.pem), /not in force/],
      [read(early.pem), /not in force/],
      [read(other.pem), /not PayPal's/],
      [read(issue({ name, isAuthority: false, issuer: noAuthority }).pem, noAuthority.pem), /no root that is trusted/],
      [read("nothing"), /no certificate/],
      [read(leaf.pem.replace(/[A-Z]{4}/g, "AAAA")), /cannot be read|not PayPal's|no certificate/],
      [read(...Array.from({ length: 9 }, () => leaf.pem)), /no certificate/]
    ]
    for (const [found, sentence] of cases) assert.match(String(found), sentence)
  })
})

describe("a genuine webhook of PayPal", () => {
  it("is a record or a clear refusal, whatever its body is, and its amount is never changed", () =>
    withPayPal(async (paypal) => {
      const inbound = inboundOf(paypal)
      const value = fc.oneof(fc.constantFrom("12.00", "0.01", "999999.99", "1200"), fc.string(), fc.double())
      const resource = fc.oneof(
        fc.record({
          ...{ id: fc.oneof(fc.constant("3C679366HH908993F"), fc.string()) },
          status: fc.constantFrom("COMPLETED", "PENDING", "DECLINED"),
          amount: fc.record({ currency_code: fc.constantFrom("USD", "JPY", "HUF", "usd", ""), value }),
          custom_id: fc.oneof(fc.constant("pay_1"), fc.jsonValue()),
          create_time: fc.oneof(fc.constant("2026-01-01T00:00:00Z"), fc.string())
        }),
        fc.jsonValue().filter((one) => typeof one === "object" && one !== null && !Array.isArray(one))
      )
      const time = fc.oneof(fc.constant("2026-01-01T00:00:00Z"), fc.jsonValue())
      await fc.assert(
        fc.asyncProperty(resource, fc.constantFrom(...payPalEvents), time, async (one, type, created) => {
          const body = event(one as object, type, created)
          const request = { headers: paypal.signed(body, webhookId), body: Buffer.from(body), url: "https://app.test" }
          const session = sessionOf(paypal)
          const exit = await Effect.runPromiseExit(
            Effect.flatMap(inbound.verify(session, request, now), ({ arrivals }) =>
              Effect.forEach(arrivals, (arrival) => inbound.read(session, arrival, now))
            )
          )
          if (Exit.isFailure(exit)) {
            assert.isFalse(
              exit.cause.reasons.some((reason) => reason._tag === "Die"),
              String(exit.cause)
            )
            return
          }
          for (const record of exit.value.flat()) {
            if (record._tag !== "payment" || record.paid === undefined) continue
            const { amount: told } = one as { amount: { currency_code: string; value: string } }
            const { amount, currency } = record.paid
            const said = { amount: amountOf(told.value, told.currency_code), currency: told.currency_code }
            assert.deepStrictEqual({ amount, currency }, said)
          }
        }),
        { numRuns: 200 }
      )
    }))
})

describe("an amount for PayPal", () => {
  it("comes back as it was, in every currency that PayPal takes it in", () => {
    const currency = fc.constantFrom("USD", "EUR", "JPY", "HUF", "TWD", "INR", "KWD")
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 11 }), currency, (amount, code) => {
        if (payPalProblem(amount, code) === undefined)
          assert.deepStrictEqual(fromPayPal(toPayPal(amount, code), code), { amount, currency: code })
      })
    )
    assert.deepStrictEqual(
      [toPayPal(1_200, "USD"), toPayPal(1_200, "JPY"), toPayPal(120_000, "TWD")],
      ["12.00", "1200", "1200"]
    )
    assert.match(String(payPalProblem(120_050, "TWD")), /whole numbers only/)
    assert.match(String(payPalProblem(1_200, "INR")), /does not take INR/)
  })
})
