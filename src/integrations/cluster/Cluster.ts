/**
 * Where the actors of conversations live: in this process alone, or spread over all that share a database. The same code either way. Members
 * find each other in the database, and talk over TCP; who owns what is decided by locks of the database that die with their session.
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
  /** What other members dial: an address of this host that they reach, and nobody else. */
  readonly host: string
  readonly port: number
  /** Where it listens, when that is another address (containers). */
  readonly listenHost?: string
}

/**
 * Fast enough that the conversations of a process that was killed are answered elsewhere within 10 s. A process that stands still for longer
 * than the expiration loses its conversations.
 */
const tuned = {
  ...ShardingConfig.defaults,
  simulateRemoteSerialization: false,
  shardLockExpiration: "8 seconds",
  shardLockRefreshInterval: "2 seconds",
  refreshAssignmentsInterval: "1 second",
  runnerHealthCheckInterval: "2 seconds",
  entityTerminationTimeout: "5 seconds",
  // About 16 KB each; they leave when they have nothing to do.
  maxResidentEntities: 50_000
} satisfies ShardingConfig.ShardingConfig["Service"]

/** Whether this process takes part. */
export class Membership extends Context.Service<Membership, { readonly holds: Effect.Effect<boolean> }>()(
  "parley/integrations/cluster/Membership"
) {}

/** Alone: nothing is shared, nothing listens, nothing is stored. */
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

/** One of several. Needs the database, in which the tables of members have been made. */
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
