/**
 * Everything a bench needs, in one scope: a database, the simulated providers and the telephone network in this process (the
 * generator), and the service in a process of its own.
 */
import { join } from "node:path"
import { Effect, Layer, Option } from "effect"
import type { CallRequest } from "../../simulators/telephone/CallResult.ts"
import { start as startSimulators, type WorldOptions } from "../../simulators/World.ts"
import { onLoopback, telephoneNetwork } from "../../src/cli/demo/simulated.ts"
import { Organizations } from "../../src/domain/people/organizations/Organization.ts"
import type { CallRecord, Utterance } from "../../src/domain/voice/calls/records/CallRecord.ts"
import * as EmbeddedPostgres from "../../src/integrations/postgres/database/EmbeddedPostgres.ts"
import { freePort } from "../../src/integrations/web/FreePort.ts"
import { storage } from "../../src/wiring/Storage.ts"
import { folder } from "./Folder.ts"
import { startService } from "./Service.ts"
import { benchSettings } from "./Settings.ts"
import { type Agent, createCalledAgent, createOrganization } from "./Tenant.ts"

export interface BenchOptions extends WorldOptions {
  readonly disclosureText: string
  /** Settings of the agents to call, one number each. */
  readonly agents: ReadonlyArray<object>
  /** So many at the same time are all let in. */
  readonly calls: number
}

/** A call as `GET /api/calls/{id}` shows it. */
export type StoredCall = CallRecord & { readonly utterances: ReadonlyArray<Utterance> }

/** `callSid` is the provider's id of the call, which its record carries. */
type Find = (agent: Agent, callSid: string) => Promise<StoredCall>

const storedWithinMs = 20_000
/** A late end is waited for, so that its time can be told. */
const givenUpAfterMs = 90_000

/** Slots of the service for so many calls of one organization: from nine tenths on it has to share them with others. */
export const slotsFor = (calls: number): number => Math.ceil(calls * 1.2) + 20
/** More calls than any bench makes: only the slots are a limit. */
const organizationLimit = 10_000

/** Asks the REST interface until the call's end is stored. Throws when that took longer than it may, and says how the record looked meanwhile. */
const finder = (baseUrl: string, key: string): Find => {
  const get = async <A>(path: string): Promise<A> => {
    const response = await fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${key}` } })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as A
  }
  return async ({ agentId }, callSid) => {
    const began = performance.now()
    const late = (what: string) =>
      new Error(`the end of call ${callSid} was not stored within ${storedWithinMs / 1_000} s: ${what}`)
    let seen = "there was no record of it"
    for (let tookMs = 0; tookMs < givenUpAfterMs; tookMs = performance.now() - began) {
      for (let page = 1, more = true; more; page++) {
        const { data } = await get<{ readonly data: ReadonlyArray<CallRecord> }>(
          `/api/voice-agents/${agentId}/calls?page=${page}&limit=100`
        )
        more = data.length === 100
        const record = data.find((it) => it.callSid === callSid)
        if (record === undefined) continue
        if (record.endReason !== null) {
          if (tookMs > storedWithinMs)
            throw late(`it came after ${Math.round(tookMs / 1_000)} s (${record.endReason}); before, ${seen}`)
          return get<StoredCall>(`/api/calls/${record.id}`)
        }
        seen = `the record was ${JSON.stringify(record)}`
        more = false
      }
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
    throw late(`nor within ${givenUpAfterMs / 1_000} s; ${seen}`)
  }
}

/** Lives as long as the scope. */
export const startParley = Effect.fn("Bench.startParley")(function* (options: BenchOptions) {
  const dataDir = yield* folder
  const databaseUrl = yield* EmbeddedPostgres.start({ dataDir: join(dataDir, "postgres"), durable: false })
  const world = yield* Effect.acquireRelease(
    Effect.promise(() => startSimulators(options)),
    ({ close }) => Effect.promise(close)
  )
  const port = yield* Effect.promise(freePort)
  const telephonePort = yield* Effect.promise(freePort)
  const settings = onLoopback(
    yield* benchSettings({ dataDir, databaseUrl: Option.some(databaseUrl), maxCalls: slotsFor(options.calls) }),
    world,
    port,
    telephonePort
  )
  const stores = yield* Layer.build(storage(settings))
  const service = yield* startService(settings)
  const baseUrl = `http://127.0.0.1:${port}`
  const { organization, agents } = yield* Effect.gen(function* () {
    const organization = yield* createOrganization(options.disclosureText)
    yield* (yield* Organizations).setConcurrentCalls(organization.organizationId, organizationLimit)
    const agents = yield* Effect.forEach(options.agents, (agent) => createCalledAgent(baseUrl, organization, agent))
    return { organization, agents }
  }).pipe(Effect.provide(stores))
  const network = yield* telephoneNetwork(baseUrl, organization, telephonePort)
  let callers = 0
  /** Every call comes from another number: callers do not share a contact. */
  const call = (agent: Agent, request: Omit<CallRequest, "from" | "to">) =>
    network.call({ from: `+1415556${String(callers++ % 10_000).padStart(4, "0")}`, to: agent.calledNumber, ...request })
  return { world, network, service, baseUrl, agents, call, stored: finder(baseUrl, organization.key) }
})
export type Parley = Effect.Success<ReturnType<typeof startParley>>
