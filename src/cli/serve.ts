/** `parley serve`: the service in this process, or in several that this one supervises. */
import { Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import * as Config from "../config/Config.ts"
import { workersRefusal } from "../config/ConfigChecks.ts"
import type { Role, Settings } from "../config/Environment.ts"
import { canListen } from "../integrations/web/FreePort.ts"
import { logging, withFailureLogged } from "./process/logging.ts"
import * as Stopping from "./process/Stopping.ts"
import { forkSound, requireMediaPort, soundSockets } from "./process/soundProcess.ts"
import { parleyProcess, supervise } from "./process/supervisor.ts"
import { withProviders } from "./providers.ts"

const role = Flag.Literals("role", ["all", "app", "engine"]).pipe(
  Flag.withDescription("What this process does: the app (REST, webhooks), the engine (calls), or both"),
  Flag.withDefault("all")
)

const workers = Flag.Int("workers").pipe(
  Flag.withDescription("Processes that share the port, one per core; more than one needs REDIS_URL and DATABASE_URL"),
  Flag.withDefault(1)
)

const sound = Flag.Literals("sound", ["inside", "process"]).pipe(
  Flag.withDescription(
    "Where the sound of calls is: inside each engine, or in a process of its own beside it (default where streams can come to it: MEDIA_PORT is set, or PUBLIC_BASE_URL is not)"
  ),
  Flag.optional
)

/**
 * Whether the sound of calls is in processes of its own, so that calls outlive their engine. Where everything comes to `PORT`, streams would not come to
 * them: then only if it is asked for. Nor where it is on other machines.
 */
export const isSoundApart = (
  { mediaPort, publicBaseUrl, mediaLinks }: Pick<Settings, "mediaPort" | "publicBaseUrl" | "mediaLinks">,
  role: Role,
  asked: Option.Option<"inside" | "process">
): boolean => {
  const isFar = mediaLinks.addresses.length > 0
  const streamsCome = !isFar && (Option.isSome(mediaPort) || Option.isNone(publicBaseUrl))
  return role !== "app" && Option.getOrElse(asked, () => (streamsCome ? "process" : "inside")) === "process"
}

const spare = Flag.Boolean("spare").pipe(
  Flag.withDescription("With --sound process and one worker: a loaded process waits to take its calls when it dies"),
  Flag.withDefault(true)
)

class PortTaken extends Schema.TaggedError<PortTaken>()("PortTaken", { message: Schema.String }) {}

export const serve = Command.make(
  "serve",
  { role, workers, sound, spare },
  Effect.fnUntraced(
    function* ({ role, workers, sound, spare }) {
      const settings = yield* Config.loadFor(role)
      const complaint = workersRefusal(settings, workers, role)
      if (complaint !== undefined) return yield* new Config.ConfigInvalid({ message: complaint })
      if (Option.isSome(sound) && settings.mediaLinks.addresses.length > 0)
        return yield* new Config.ConfigInvalid({
          message: "MEDIA_LINKS says where the sound of calls is: on other machines. Leave out --sound, or MEDIA_LINKS."
        })
      const apart = isSoundApart(settings, role, sound)
      const isChild = settings.worker !== undefined || settings.mediaSockets.length > 0
      if ((workers === 1 && !apart) || isChild) {
        // A process that supervises never loads the service.
        const { runServer } = yield* Effect.promise(() => import("./process/server.ts"))
        return yield* runServer(yield* withProviders(settings), role).pipe(Effect.provide(logging(settings)))
      }
      // A single worker shares its port with the one that follows it, so it would not notice another service there.
      const { host, port } = settings
      if (workers === 1 && !(yield* Effect.promise(() => canListen(host, port))))
        return yield* new PortTaken({
          message: `cannot listen on ${host}:${port} (in use, or not an address of this machine)`
        })
      const { hurry } = yield* Stopping.signals
      if (apart) yield* requireMediaPort(settings)
      const reloads = yield* Stopping.reloads
      const sockets = apart ? yield* soundSockets(workers) : []
      const args = ["serve", "--role", role]
      // Workers take each other's calls.
      const processes = yield* parleyProcess({
        settings,
        workers,
        args,
        sockets,
        spare: apart && workers === 1 && spare
      })
      const launchSound = async (id: number) => forkSound(settings, sockets[id - 1])
      return yield* supervise({ workers, ...processes, hurry, reloads, ...(apart ? { launchSound } : {}) }).pipe(
        Effect.provide(logging(settings))
      )
    },
    Effect.scoped,
    withFailureLogged
  )
).pipe(Command.withDescription("Run the service"))
