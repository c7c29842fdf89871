/**
 * `parley demo --shop`: a customer of a (simulated) WooCommerce store leaves a cart and is reminded of it by message. The customer phones; the agent finds the
 * order and sends a payment link of a (simulated) Stripe by message, which is paid while both are on the line; the agent says so.
 */
import { Clock, Console, Deferred, Effect, Schema } from "effect"
import type { ChatRequest } from "../../../simulators/language-model/Messages.ts"
import type { Answer, Script } from "../../../simulators/language-model/Script.ts"
import { type StripeSimulator, start as startStripe, stripeKey } from "../../../simulators/payments/Stripe.ts"
import * as WooCommerce from "../../../simulators/store/WooCommerce.ts"
import type { CallerApi } from "../../../simulators/telephone/Caller.ts"
import type { Settings } from "../../config/Environment.ts"
import { AppConnection } from "../../domain/apps/AppConnection.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { ApiKeys } from "../../domain/people/access/ApiKey.ts"
import { connectNumber } from "./channelNumber.ts"
import { aboutCalls, converse, type DemoOptions, type Expectation, keepRunning } from "./converse.ts"
import { complaintsOf, type DemoReport, unlessHeard } from "./report.ts"
import { type Stage, setStage } from "./stage.ts"
import { type Access, ask, DemoFailed } from "./support/rest.ts"
import { until } from "./support/until.ts"

const lines = {
  order: "Hello, can I still get the atlas that I left in my cart?",
  yes: "Yes, please send me the link.",
  thanks: "Great, thank you."
} as const

const caller = "+14155550126"
const orderNumber = "727"
const payUrl = `https://store.example/checkout/order-pay/${orderNumber}/?pay_for_order=true&key=wc_order_${orderNumber}`
const paidSentence = "I can see that your payment has just arrived. Thank you, John."
const templates = { reminder: "cart_reminder", link: "payment_link" } as const

const tools = [
  {
    name: "find_order",
    description: "Look up the orders of the person you talk with.",
    parameters: { type: "object", properties: { number: { type: "string" } } },
    handler: { type: "builtin", name: "find_order" }
  },
  {
    name: "create_payment_link",
    description: "Ask the person you talk with for a payment, for an order by its number.",
    parameters: { type: "object", properties: { orderNumber: { type: "string" } } },
    handler: { type: "builtin", name: "create_payment_link" }
  }
]

const Found = Schema.fromJsonString(
  Schema.Struct({ orders: Schema.Array(Schema.Struct({ number: Schema.String, total: Schema.String })) })
)
const readFound = Schema.decodeUnknownOption(Found)

/** The newest result of a tool. */
const resultOf = ({ messages }: ChatRequest, tool: string): string | undefined => {
  const ids = messages.flatMap((message) =>
    message.role === "assistant" ? (message.tool_calls ?? []).filter(({ function: { name } }) => name === tool) : []
  )
  const known = ids.map(({ id }) => id)
  const found = messages.findLast((message) => message.role === "tool" && known.includes(message.tool_call_id))
  return found?.content ?? undefined
}

const inWords = (text: string): Answer => ({ _tag: "Reply", text })
const toCall = (name: string, args: object): Answer => ({ _tag: "Call", name, arguments: JSON.stringify(args) })

/** What is asked for comes from what the tool has said. */
const foundOrder = (request: ChatRequest) => {
  const found = readFound(resultOf(request, "find_order"))
  return found._tag === "Some" ? found.value.orders[0] : undefined
}

const answerOrder = (request: ChatRequest): Answer => {
  if (resultOf(request, "find_order") === undefined) return toCall("find_order", {})
  const order = foundOrder(request)
  return inWords(
    order === undefined
      ? "I cannot find an order of yours."
      : `I found order ${order.number} for ${order.total}. Shall I send you a payment link by message?`
  )
}

/** After the link was sent the caller says nothing more: what comes is the notice that it was paid. */
const answerYes = (request: ChatRequest): Answer => {
  const isPaid = request.messages.some(
    ({ role, content }) => role === "system" && /has just been paid/.test(`${content}`)
  )
  if (isPaid) return inWords(paidSentence)
  const sent = resultOf(request, "create_payment_link")
  if (sent === undefined) return toCall("create_payment_link", { orderNumber: foundOrder(request)?.number ?? "" })
  return inWords(/on its way/.test(sent) ? "The link is on its way. I will wait." : "I could not send the link.")
}

const script: Script = [
  { when: /left in my cart/i, decide: answerOrder },
  { when: /send me the link/i, decide: answerYes },
  { when: /thank you/i, reply: "You are welcome. Goodbye." }
]

/** An order that waits for its payment, as the store tells of it. `status`: `pending`. Left two hours ago. */
export const leftCart = (now: number) => {
  const at = (ms: number) => new Date(ms).toISOString().slice(0, 19)
  const person = { first_name: "John", last_name: "Doe", country: "US" }
  return JSON.stringify({
    ...{ id: 727, number: orderNumber, order_key: `wc_order_${orderNumber}`, status: "pending", currency: "USD" },
    ...{ total: "29.35", total_tax: "1.35", discount_total: "0.00", shipping_total: "10.00", customer_id: 0 },
    ...{ billing: { ...person, email: "john@example.com", phone: "(415) 555-0126" }, shipping: person },
    ...{ customer_note: "", date_created_gmt: at(now - 7_300_000), date_modified_gmt: at(now - 7_200_000) },
    ...{ date_paid_gmt: null, payment_url: payUrl },
    line_items: [
      {
        ...{ id: 315, name: "Atlas of Rivers", product_id: 93, variation_id: 0, quantity: 3, sku: "BK-427", price: 6 },
        ...{ subtotal: "18.00", subtotal_tax: "1.3500", total: "18.00", total_tax: "1.3500" }
      }
    ]
  })
}

const scoped = <A extends { readonly close: () => Promise<unknown> }>(start: () => Promise<A>) =>
  Effect.acquireRelease(Effect.promise(start), ({ close }) => Effect.promise(close))

const Connected = Schema.Struct({ connection: AppConnection })

/** Connects store, payment provider and messaging channel, as an administrator does. */
const connectAll = Effect.fnUntraced(function* (stage: Stage, access: Access, store: WooCommerce.WooSimulator) {
  const { channel } = stage.world
  const phoneNumberId = yield* connectNumber({ ...access, channel })
  const accountId = channel.accounts.numbers.get(phoneNumberId)?.accountId ?? ""
  for (const name of Object.values(templates)) {
    const text = "Here is your link for {{1}}: {{2}} Thank you."
    channel.accounts.addTemplate(accountId, {
      name,
      components: [{ type: "BODY", text, example: { body_text: [["an order", "https://store.example/1"]] } }]
    })
  }
  yield* ask(access, "POST", "/api/messaging-api/templates/sync")
  const answered = yield* ask(access, "PUT", "/api/integrations/woocommerce", {
    settings: { url: store.url, reminderTemplate: templates.reminder },
    credentials: WooCommerce.wooKeys
  })
  yield* ask(access, "PUT", "/api/integrations/stripe", { credentials: { secretKey: stripeKey } })
  yield* ask(access, "PUT", "/api/payment-settings", {
    provider: "stripe",
    template: { name: templates.link, language: "en_US" }
  })
  return (yield* Effect.orDie(Schema.decodeUnknownEffect(Connected)(answered))).connection
})

/** The message to the customer that has a text in it. */
const messageWith = ({ world: { channel } }: Stage, text: string) =>
  Effect.sync(() =>
    channel.sent.find((message) => `+${message.to}` === caller && JSON.stringify(message).includes(text))
  )

/** The customer leaves a cart, and is reminded of it. */
const leaveCart = Effect.fnUntraced(function* (stage: Stage, store: WooCommerce.WooSimulator, webhookUrl: string) {
  const { secret } = store.webhooks[0]
  const { body, headers } = WooCommerce.deliveryOf("order.created", leftCart(yield* Clock.currentTimeMillis), {
    secret
  })
  const { status } = yield* Effect.promise(() => fetch(webhookUrl, { method: "POST", body, headers }))
  if (status !== 200) return yield* new DemoFailed({ message: `The store's webhook was answered ${status}.` })
  yield* until("The customer was not reminded of the cart", 60, messageWith(stage, payUrl))
})

/** The customer gets the link by message, opens it and pays. Gives when. */
const payByLink = Effect.fnUntraced(function* (stage: Stage, stripe: StripeSimulator) {
  const link = `${stripe.url}/pay/`
  const message = yield* until("The payment link did not reach the customer", 60, messageWith(stage, link))
  const id = JSON.stringify(message).split(link)[1]?.match(/^\w+/)?.[0] ?? ""
  const { status } = yield* Effect.promise(() => fetch(`${link}${id}`, { method: "POST" }))
  return status === 200 ? id : yield* new DemoFailed({ message: `The page of the link answered ${status}.` })
})

/** An agent that looks something up may say so first. Milliseconds of quiet after which the customer believes that the agent has finished. */
const patience = 1_800

/** `pays`: from then on the customer opens the link and pays. */
const speaks = (speech: Stage<keyof typeof lines>["speech"], pays: () => void) => async (customer: CallerApi) => {
  await customer.waitForAgentToFinish()
  await customer.say(speech.order.samples)
  await customer.waitForAgentToFinish(patience)
  await customer.say(speech.yes.samples)
  await customer.waitForAgentToFinish(patience)
  pays()
  await customer.waitForAgentToSpeak(30_000)
  await customer.waitForAgentToFinish(patience)
  await customer.say(speech.thanks.samples)
  await customer.waitForAgentToFinish()
  customer.hangUp()
}

const expected: Expectation = {
  complaints: (report: DemoReport) => {
    const said = report.transcript.map(({ role, text }) => `${role}: ${text}`)
    const at = (text: string) => said.findIndex((line) => line.includes(text))
    return complaintsOf(report, [
      unlessHeard(report, Object.values(lines)),
      [at(`I found order ${orderNumber} for 29.35 USD`) >= 0, `the agent did not find the order: ${said.join(" | ")}`],
      [at(paidSentence) > at("The link is on its way"), "the agent did not say that the payment has arrived"],
      [at("The link is on its way") >= 0, "the agent did not send the link"]
    ])
  },
  ending: "The call is over."
}

/** The order is paid, and its cart brought money back. */
const unlessPaid = Effect.fnUntraced(function* (access: Access) {
  const { data: orders } = yield* ask(access, "GET", `/api/orders?number=${orderNumber}`)
  const { data: links } = yield* ask(access, "GET", "/api/payment-links?status=paid")
  const [order] = orders as ReadonlyArray<{ readonly status: string }>
  const [link] = links as ReadonlyArray<{ readonly paidAmount: string; readonly provider: string }>
  if (order?.status !== "paid" || link === undefined)
    return yield* new DemoFailed({
      message: `The order is ${order?.status}, with ${link?.paidAmount ?? "nothing"} paid.`
    })
  return link
})

export const shop = traced("Demo.shop")(function* (settings: Settings, options: DemoOptions) {
  const say = options.json ? () => Effect.void : Console.log
  yield* say("Starting PostgreSQL, the service, and the world around it with a WooCommerce store and a Stripe …")
  const [store, stripe] = [yield* scoped(() => WooCommerce.start()), yield* scoped(startStripe)]
  const stage = yield* setStage(
    { ...settings, payments: { ...settings.payments, stripeBaseUrl: stripe.url } },
    lines,
    { tools, silence: { promptAfterSeconds: 60, maxPrompts: 1 } },
    script
  )
  const { organizationId, agentId, calledNumber, key } = stage.tenant
  yield* Effect.gen(function* () {
    const scopes = [
      "admin",
      "contacts:read",
      "contacts:write",
      "messages:send",
      "modules:read",
      "payments:write"
    ] as const
    const { secret } = yield* (yield* ApiKeys).create({ organizationId, name: "set-up", scopes })
    const access = { baseUrl: stage.baseUrl, key: secret }
    const { webhookUrl } = yield* connectAll(stage, access, store)
    if (webhookUrl === null) return yield* new DemoFailed({ message: "The store has no webhook address." })
    yield* ask(access, "POST", "/api/messaging-api/contacts", { phone: caller, name: "John Doe", optedIn: true })
    yield* say("A store, Stripe and the messaging channel are connected. A customer leaves a cart of 29.35 USD …")
    yield* leaveCart(stage, store, webhookUrl)
    yield* say(`… and is reminded of it by message, with the link to go on.\n\nThe customer phones ${calledNumber}.\n`)
    const agreed = Deferred.makeUnsafe<void>()
    const speech = speaks(stage.speech, () => Deferred.doneUnsafe(agreed, Effect.void))
    yield* Effect.forkScoped(Effect.andThen(Deferred.await(agreed), payByLink(stage, stripe)))
    yield* converse(stage, { ...options, keep: false }, stage.call(speech, caller), expected)
    const { paidAmount, provider } = yield* unlessPaid(access)
    yield* say(`\nOrder ${orderNumber} is paid: ${paidAmount} USD by ${provider}, during the call. All is well.`)
    if (options.keep) yield* keepRunning({ baseUrl: stage.baseUrl, key }, aboutCalls(agentId))
  }).pipe(Effect.provide(stage.services))
})
