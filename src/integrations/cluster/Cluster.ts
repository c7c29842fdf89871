/**
 * Where the actors of conversations live: all in this process, or spread over all processes that share a database. The actors' code is the same
 * either way. Members find each other in the database and talk over TCP. Database locks, which end with their session, decide who owns what.
 */
import * as NodeClusterSocket from "@effect/platform-node/NodeClusterSocket"
import { Context, Effect, Layer, Option } from "effect"
import {
  MessageStorage,
  RunnerAddress,
  RunnerHealth,
  RunnerStorage,
  Runners,
  Sharding,
  ShardingConfig,
  SocketRunner,
  SqlRunnerStorage
} from "effect/cluster"
import { RpcSerialization } from "effect/rpc"
import * as MemberSockets from "./MemberSockets.ts"

export interface MemberOptions {
  /** The address at which other members reach this host. Nothing else may reach it. */
  readonly host: string
  readonly port: number
  /** The address to listen on, when that is a different one (containers). */
  readonly listenHost?: string
}

/**
 * Fast enough that another process takes over the conversations of a killed process within 10 s. A process that stands still for longer than the
 * expiration loses its conversations.
 */
const tuned = {
  ...ShardingConfig.defaults,
  simulateRemoteSerialization: false,
  shardLockExpiration: "8 seconds",
  shardLockRefreshInterval: "2 seconds",
  refreshAssignmentsInterval: "1 second",
  runnerHealthCheckInterval: "2 seconds",
  entityTerminationTimeout: "5 seconds",
  // About 16 KB each; idle ones stop.
  maxResidentEntities: 50_000
} satisfies ShardingConfig.ShardingConfig["Service"]

/** Whether this process is a healthy member of the cluster. */
export class Membership extends Context.Service<Membership, { readonly holds: Effect.Effect<boolean> }>()(
  "parley/integrations/cluster/Membership"
) {}

/** For a single process: shares nothing, listens on nothing, stores nothing. */
export const layerAlone = Sharding.layer.pipe(
  Layer.provide(Runners.layerNoop),
  Layer.provide([MessageStorage.layerNoop, RunnerStorage.layerMemory, RunnerHealth.layerNoop]),
  Layer.provide(ShardingConfig.layer(tuned)),
  Layer.merge(Layer.succeed(Membership, { holds: Effect.succeed(true) }))
)

const membership = (address: RunnerAddress.RunnerAddress) =>
  Layer.effect(
    Membership,
    Effect.map(RunnerStorage.RunnerStorage, (storage) => ({
      holds: storage.getRunners.pipe(
        Effect.map((runners) =>
          runners.some(([runner, healthy]) => healthy && runner.address.toString() === address.toString())
        ),
        Effect.timeout("2 seconds"),
        Effect.catch(() => Effect.succeed(false))
      )
    }))
  )

/** For one of several processes. Needs the database with the tables of members. */
export const layerMember = ({ host, port, listenHost = host }: MemberOptions) => {
  const address = RunnerAddress.make(host, port)
  const shardingConfig = {
    ...tuned,
    runnerAddress: Option.some(address),
    runnerListenAddress: Option.some(RunnerAddress.make(listenHost, port))
  }
  const storage = SqlRunnerStorage.layerStorage({}).pipe(Layer.provide(ShardingConfig.layer(shardingConfig)))
  const health = RunnerHealth.layerPing.pipe(Layer.provide(Runners.layerRpc))
  return SocketRunner.layer.pipe(
    Layer.provide([MemberSockets.layer, health]),
    Layer.provide(NodeClusterSocket.layerClientProtocol),
    Layer.provide([ShardingConfig.layer(shardingConfig), RpcSerialization.layerSchemaBinary()]),
    Layer.merge(membership(address)),
    Layer.provide(Layer.merge(MessageStorage.layerNoop, storage))
  )
}
