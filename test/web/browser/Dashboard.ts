/**
 * The whole service with its built pages, an organization that is furnished as in the demo, and people who sign in with real browsers.
 *
 *   inChromium("the inbox", () => {
 *     const dashboard = startedDashboard()
 *     it("shows …", async () => {
 *       const { page } = await dashboard().signIn("agent", "/inbox")
 *     })
 *   })
 */
import { Effect, Exit, Scope } from "effect"
import { afterAll, afterEach, beforeAll, expect } from "vitest"
import type { Person, Written } from "../../../simulators/channel/People.ts"
import { furnish, type SignIn } from "../../../src/cli/demo/living.ts"
import { VoiceAgents } from "../../../src/domain/voice/agents/VoiceAgent.ts"
import { Calls } from "../../../src/domain/voice/calls/records/CallRecord.ts"
import { answered, ended, said } from "../../support/escalation.ts"
import { comesAbout } from "../../support/eventually.ts"
import { operatorHeaders } from "../../support/operators.ts"
import { type ParleyOptions, startParley, startService } from "../../support/parley.ts"
import { type BrowserOptions, openSeats, type Seat, sessionCookie, settled } from "./Seats.ts"

export type Role = "owner" | "admin" | "agent"

export interface DashboardOptions extends Partial<ParleyOptions> {
  /** Arguments of Chromium, e.g. the file of its microphone. */
  readonly chromium?: ReadonlyArray<string>
}

interface Chat {
  readonly id: string
  readonly contact: { readonly id: string; readonly name: string | null; readonly phone: string | null }
}

/** A call of the agent that is over, without a recording. */
const pastCall = Effect.fnUntraced(function* (organizationId: string, agentId: string) {
  const agent = (yield* (yield* VoiceAgents).find(organizationId, agentId)) ?? (yield* Effect.die("there is no agent"))
  const desk = { organizationId, agent, connection: { organizationId, accountSid: "", authToken: "" } }
  const call = yield* answered(desk, new Date(Date.now() - 60_000).toISOString())
  const calls = yield* Calls
  yield* calls.apply(said(desk, call.id, 1, "Maple Books, how can I help you?"))
  yield* calls.apply(said(desk, call.id, 2, "Is my order ready?"))
  yield* calls.apply(ended(desk, call.id, "caller_hangup", new Date().toISOString()))
  return call.id
})

let serial = 0

const defaults = { lines: {}, channel: { statuses: ["sent", "delivered", "read"], statusEveryMs: 50 } } as const

const furnished = async ({ chromium, ...options }: DashboardOptions, scope: Scope.Closeable) => {
  const run = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Scope.provide(effect, scope))
  const { visitor, closeSeats, start } = await run(openSeats(chromium))
  const parley = await run(startParley({ ...defaults, ...options }))
  const { baseUrl, services } = parley
  start(baseUrl)
  const { organizationId, agentId } = parley.tenant
  const { channel } = parley.world
  const people = await run(Effect.provide(furnish({ baseUrl, organizationId, channel }), services))
  const callId = await run(Effect.provide(pastCall(organizationId, agentId), services))

  /** A request of the organization's API key; the answer's JSON. Throws when it is refused. */
  const ask = async <A>(method: string, path: string, body?: unknown): Promise<A> => {
    const { status, body: answer } = await parley.request(method, path, body)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`)
    return answer as A
  }

  /** Somebody who has not written yet. */
  const somebody = (name: string): Person => ({ waId: `1415557${String(++serial).padStart(4, "0")}`, name })

  /** The person writes over the simulated channel. Gives the conversation, once the service has all messages. */
  const write = async (from: Person, ...messages: ReadonlyArray<string | Written>): Promise<Chat> => {
    const written = messages.map((one) => (typeof one === "string" ? { type: "text", text: { body: one } } : one))
    const ids = channel.write(people.phoneNumberId, from, ...written)
    return comesAbout("the messages have arrived", async () => {
      const { data } = await ask<{ readonly data: ReadonlyArray<Chat> }>("GET", "/api/messaging-api/chats?limit=100")
      const chat = data.find(({ contact }) => contact.phone === `+${from.waId}`)
      if (chat === undefined) return undefined
      const { messages: stored } = await ask<{
        readonly messages: ReadonlyArray<{ readonly channelMessageId: string | null }>
      }>("GET", `/api/messaging-api/chats/${chat.id}?limit=100`)
      return ids.every((id) => stored.some(({ channelMessageId }) => channelMessageId === id)) ? chat : undefined
    })
  }

  /** What was sent to a person over the channel, as the channel got it. */
  const sentTo = (person: Person) => channel.sent.filter(({ to }) => to.replace("+", "") === person.waId)

  const cookies = new Map<string, string>()
  /** All browsers of one person share a session, since signing in is limited. */
  const cookieOf = async (person: SignIn): Promise<string> => {
    const cookie = cookies.get(person.id) ?? (await sessionCookie(baseUrl, person))
    cookies.set(person.id, cookie)
    return cookie
  }

  /** A browser in which the person is signed in, at an address of the dashboard. */
  const signIn = async (role: Role, path = "/", options: BrowserOptions = {}): Promise<Seat> => {
    const seat = await visitor({ ...options, cookie: await cookieOf(people[role]) })
    await seat.page.goto(path)
    await settled(seat.page)
    return seat
  }

  /** Makes an operator of the installation, and signs them in without a page. */
  const addOperator = (email?: string) =>
    operatorHeaders({ base: baseUrl, run: (effect) => run(Effect.provide(effect, services)) }, email)

  let operatorCookie: string | undefined
  /** A browser in which an operator of the installation is signed in, at an address of the operators' pages. */
  const signInOperator = async (path = "/operator", options: BrowserOptions = {}): Promise<Seat> => {
    operatorCookie ??= (await addOperator()).cookie
    const seat = await visitor(options)
    const [name, value] = operatorCookie.split("=")
    const domain = new URL(baseUrl).hostname
    await seat.context.addCookies([{ name, value, domain, path: "/api/operator", httpOnly: true, sameSite: "Strict" }])
    await seat.page.goto(path)
    await settled(seat.page)
    return seat
  }

  return {
    ...parley,
    people,
    callId,
    agentId,
    ask,
    somebody,
    write,
    sentTo,
    visitor,
    signIn,
    addOperator,
    signInOperator,
    closeSeats
  }
}

export type Dashboard = Awaited<ReturnType<typeof furnished>>

const empty = async ({ chromium, ...options }: DashboardOptions, scope: Scope.Closeable) => {
  const run = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Scope.provide(effect, scope))
  const { visitor, closeSeats, start } = await run(openSeats(chromium))
  const service = await run(startService({ ...defaults, ...options }))
  start(service.baseUrl)
  return { ...service, visitor, closeSeats }
}

const beforeStories = <Started extends { readonly closeSeats: () => Promise<ReadonlyArray<string>> }>(
  start: (scope: Scope.Closeable) => Promise<Started>
): (() => Started) => {
  const scope = Scope.makeUnsafe()
  let running: Started | undefined
  // The pages may have to be built.
  beforeAll(async () => {
    running = await start(scope)
  }, 240_000)
  afterEach(async () => {
    if (running !== undefined) expect(await running.closeSeats(), "what went wrong in the browsers").toEqual([])
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return () => {
    if (running === undefined) throw new Error("The dashboard has not been started.")
    return running
  }
}

/**
 * Starts the dashboard before the stories of a group, and stops it after them. After each story the browsers are closed, and the story fails for each
 * problem that `Watched` has seen and that it did not take.
 */
export const startedDashboard = (options: DashboardOptions = {}): (() => Dashboard) =>
  beforeStories((scope) => furnished(options, scope))

/** The same with a service that has no organization yet. */
export const startedEmpty = (options: DashboardOptions = {}) => beforeStories((scope) => empty(options, scope))
