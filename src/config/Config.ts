/** Every setting, read once. `docs/operations.md` documents each with its default; a wrong value stops the start and is named. */
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

export const clusterPort = 34_431

/** One of several when it is told where it is, or is a worker. */
const clusterOf = ({ cluster, worker }: Raw): Cluster | undefined => {
  if (Option.isNone(cluster.host) && Option.isNone(cluster.port) && Option.isNone(worker)) return undefined
  const host = Option.getOrElse(cluster.host, () => "127.0.0.1")
  return {
    host,
    port: Option.getOrElse(cluster.port, () => clusterPort),
    listenHost: Option.getOrElse(cluster.listenHost, () => host)
  }
}

/** Reads and checks the environment. In development a missing secret is made up for the life of the process. */
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

/** Also when other settings are wrong. */
export const isProduction: Effect.Effect<boolean> = Effect.match(environment, {
  onFailure: () => false,
  onSuccess: (environment) => environment === "production"
})

/** For a process that does everything. */
export const load = loadFor("all")
