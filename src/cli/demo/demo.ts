/** `parley demo …`: a call or a chat on this machine. The simulators are loaded only when the command runs. */
import { Effect, References, Struct } from "effect"
import { Command, Flag } from "effect/cli"
import * as Config from "../../config/Config.ts"
import { logging } from "../process/logging.ts"
import { soundSockets } from "../process/soundProcess.ts"

/** Each demo by its flag. Of several flags the first one here counts; without any a caller phones. */
const loaders = {
  dashboard: async () => (await import("./dashboard.ts")).dashboard,
  teamChat: async () => (await import("./teamChat.ts")).teamChat,
  survive: async () => (await import("./survive.ts")).survive,
  shop: async () => (await import("./shop.ts")).shop,
  integrations: async () => (await import("./integrations.ts")).integrations,
  mcp: async () => (await import("./mcp.ts")).mcp,
  messaging: async () => (await import("./messaging.ts")).messaging,
  afterHours: async () => (await import("./afterHours.ts")).afterHours,
  outbound: async () => (await import("./outbound.ts")).outbound
}
const withoutFlag = async () => (await import("./inbound.ts")).inbound
type Shown = Awaited<ReturnType<(typeof loaders)[keyof typeof loaders] | typeof withoutFlag>>

export const demo = Command.make(
  "demo",
  {
    json: Flag.Boolean("json").pipe(Flag.withDescription("Print one JSON object"), Flag.withDefault(false)),
    keep: Flag.Boolean("keep").pipe(Flag.withDescription("Leave the service running"), Flag.withDefault(false)),
    outbound: Flag.Boolean("outbound").pipe(
      Flag.withDescription("The agent phones a contact, instead of being phoned"),
      Flag.withDefault(false)
    ),
    afterHours: Flag.Boolean("after-hours").pipe(
      Flag.withDescription("Phone a shop that is closed, and leave a message"),
      Flag.withDefault(false)
    ),
    messaging: Flag.Boolean("messaging").pipe(
      Flag.withDescription("A contact writes over the messaging channel, and is answered"),
      Flag.withDefault(false)
    ),
    integrations: Flag.Boolean("integrations").pipe(
      Flag.withDescription("A call appears in HubSpot and Notion, and a change in Notion comes back"),
      Flag.withDefault(false)
    ),
    shop: Flag.Boolean("shop").pipe(
      Flag.withDescription("A cart is left and reminded of; its customer phones, and pays during the call"),
      Flag.withDefault(false)
    ),
    dashboard: Flag.Boolean("dashboard").pipe(
      Flag.withDescription("The dashboard of a living organization, until Ctrl-C"),
      Flag.withDefault(false)
    ),
    teamChat: Flag.Boolean("team-chat").pipe(
      Flag.withDescription("People write in Slack, and an agent and a colleague answer in their threads"),
      Flag.withDefault(false)
    ),
    survive: Flag.Boolean("survive").pipe(
      Flag.withDescription("The engine of a call is killed in mid-sentence, and the caller goes on talking"),
      Flag.withDefault(false)
    ),
    sound: Flag.Literals("sound", ["inside", "process"]).pipe(
      Flag.withDescription("Where the sound of the call is: inside the engine, or in a process of its own"),
      Flag.withDefault("inside")
    ),
    mcp: Flag.Boolean("mcp").pipe(
      Flag.withDescription("An agent uses an external MCP server, and an assistant ours"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* (options) {
    const loaded = yield* Config.load
    const settings = options.sound === "process" ? { ...loaded, mediaSockets: yield* soundSockets(1) } : loaded
    const name = Struct.keys(loaders).find((flag) => options[flag])
    const load: () => Promise<Shown> = name === undefined ? withoutFlag : loaders[name]
    const shown = yield* Effect.promise(load)
    yield* Effect.scoped(shown(settings, options)).pipe(
      Effect.provide(logging(settings)),
      Effect.provideService(References.MinimumLogLevel, "Warn")
    )
  }, Effect.scoped)
).pipe(Command.withDescription("Answer a real phone call on this machine, with simulated providers"))
