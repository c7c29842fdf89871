/** Reads every setting once. `docs/operations.md` documents each with its default. A wrong value stops the start with an error that names it. */
import { randomBytes } from "node:crypto"
import { Effect, Option, Redacted, Schema } from "effect"
import { complaintAbout, workerPattern } from "./ConfigChecks.ts"
import {
  type Cluster,
  environment,
  type Purpose,
  type Raw,
  type Settings,
  settings,
  type Worker
} from "./Environment.ts"

export class ConfigInvalid extends Schema.TaggedError<ConfigInvalid>()("ConfigInvalid", { message: Schema.String }) {}

const workerOf = ({ worker }: Raw): Worker | undefined => {
  const match = Option.isNone(worker) ? null : workerPattern.exec(worker.value)
  return match === null ? undefined : { id: Number(match[1]), of: Number(match[2]), ownPort: Number(match[3]) }
}

/** The default of CLUSTER_PORT. */
export const clusterPort = 34_431

/** Undefined unless CLUSTER_HOST or CLUSTER_PORT is set, or the process is a worker. */
const clusterOf = ({ cluster, worker }: Raw): Cluster | undefined => {
  if (Option.isNone(cluster.host) && Option.isNone(cluster.port) && Option.isNone(worker)) return undefined
  const host = Option.getOrElse(cluster.host, () => "127.0.0.1")
  return {
    host,
    port: Option.getOrElse(cluster.port, () => clusterPort),
    listenHost: Option.getOrElse(cluster.listenHost, () => host)
  }
}

/** Reads and checks the environment. A missing engine secret is made up for the life of the process; production requires it. */
export const loadFor = (purpose: Purpose): Effect.Effect<Settings, ConfigInvalid> =>
  Effect.gen(function* () {
    const raw = yield* settings
    const message = complaintAbout(raw, purpose)
    if (message !== undefined) return yield* new ConfigInvalid({ message })
    return {
      ...raw,
      worker: workerOf(raw),
      cluster: clusterOf(raw),
      engineSecret: Option.getOrElse(raw.engineSecret, () => Redacted.make(randomBytes(32).toString("hex")))
    }
  }).pipe(
    Effect.catchTag("ConfigError", (error) => new ConfigInvalid({ message: `A setting is wrong: ${error.message}` }))
  )

/** Whether NODE_ENV is production. It works also when other settings are wrong. */
export const isProduction: Effect.Effect<boolean> = Effect.match(environment, {
  onFailure: () => false,
  onSuccess: (environment) => environment === "production"
})

/** The settings of a process that runs app and engine. */
export const load = loadFor("all")
