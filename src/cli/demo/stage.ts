/** The setting of a call demo: the real service on loopback with everything around it simulated, and a shop with an agent and a number. */
import { createServer } from "node:http"
import { join } from "node:path"
import { Effect, Layer } from "effect"
import type { Script } from "../../../simulators/language-model/Script.ts"
import type { CallRequest } from "../../../simulators/telephone/CallResult.ts"
import { type Spoken, speak } from "../../../simulators/voice/Voice.ts"
import { start as startSimulators } from "../../../simulators/World.ts"
import type { Settings } from "../../config/Environment.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { freePort } from "../../integrations/web/FreePort.ts"
import * as Server from "../../wiring/Server.ts"
import { withSound } from "../process/soundProcess.ts"
import { language, script } from "./dialogue.ts"
import { createTenant } from "./organization.ts"
import { onLoopback, telephoneNetwork } from "./simulated.ts"
import { DemoFailed } from "./support/rest.ts"

/** The shop's order service, which the agent's tool asks. */
export const orderService = Effect.acquireRelease(
  Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
    const server = createServer((_request, response) => {
      response.setHeader("content-type", "application/json")
      response.end(JSON.stringify({ order: "427", status: "in transit", arrives: "Tuesday" }))
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resume(Effect.succeed({ url: `http://127.0.0.1:${port}/orders`, close: () => server.close() }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

const synthesize = <Name extends string>(lines: Readonly<Record<Name, string>>) =>
  Effect.promise(async () => {
    const entries = Object.entries<string>(lines).map(
      async ([name, text]) => [name, await speak(text, language)] as const
    )
    return Object.fromEntries(await Promise.all(entries)) as Readonly<Record<Name, Spoken>>
  })

/**
 * Starts everything for the life of the scope. `lines`: what the person says. `replies`: how the model answers. `agent`: overrides the demo
 * agent's settings.
 */
export const setStage = traced("Demo.setStage")(function* <Name extends string>(
  settings: Settings,
  lines: Readonly<Record<Name, string>>,
  agent: object = {},
  replies: Script = script
) {
  const speech = yield* synthesize(lines)
  const world = yield* Effect.acquireRelease(
    Effect.promise(() =>
      startSimulators({
        bank: Object.values<Spoken>(speech),
        script: replies,
        channel: { statuses: ["sent", "delivered", "read"], statusEveryMs: 300 }
      })
    ),
    (world) => Effect.promise(() => world.close())
  )
  const orders = yield* orderService
  const port = yield* Effect.promise(freePort)
  const telephonePort = yield* Effect.promise(freePort)
  const own = yield* withSound({
    ...onLoopback(settings, world, port, telephonePort),
    dataDir: join(settings.dataDir, "demo")
  })
  const baseUrl = `http://127.0.0.1:${port}`
  const services = yield* Layer.build(Server.all(own))
  const tenant = yield* createTenant(baseUrl, orders.url, agent).pipe(Effect.provide(services))
  const network = yield* telephoneNetwork(baseUrl, tenant, telephonePort)
  const call = (caller: CallRequest["caller"], from = "+14155550100") =>
    Effect.tryPromise({
      try: () => network.call({ from, to: tenant.calledNumber, caller, maxMs: 90_000 }),
      catch: (cause) => new DemoFailed({ message: `The call failed: ${cause}` })
    })
  return { dataDir: own.dataDir, baseUrl, world, services, tenant, network, speech, call }
})

/** What `setStage` returns. */
export type Stage<Name extends string = string> = Effect.Success<ReturnType<typeof setStage<Name>>>
