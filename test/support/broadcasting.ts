/** The worker of broadcasts over given stores, without the rest of a service. */
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Layer } from "effect"
import type { Sharding } from "effect/cluster"
import { RateLimiter } from "effect/persistence"
import * as BroadcastWorker from "../../src/actors/messaging/broadcasts/BroadcastWorker.ts"
import * as Commands from "../../src/actors/messaging/conversations/Commands.ts"
import { TurnRunner } from "../../src/domain/messaging/agents/TurnRunner.ts"
import * as Cluster from "../../src/integrations/cluster/Cluster.ts"
import * as StoredMedia from "../../src/integrations/media/StoredMedia.ts"
import * as RateLimitMemory from "../../src/integrations/resilience/RateLimitMemory.ts"
import * as LocalObjectStorage from "../../src/integrations/storage/LocalObjectStorage.ts"

const folder = join(tmpdir(), "parley-broadcasting")

/** Requires the stores and the requirements of `cluster`. */
export const broadcastWorker = <E = never, R = never>(
  policy: Partial<BroadcastWorker.BroadcastPolicy> = {},
  cluster: Layer.Layer<Sharding.Sharding, E, R> = Cluster.layerAlone
) =>
  BroadcastWorker.layer.pipe(
    Layer.provide([
      Layer.succeed(BroadcastWorker.BroadcastTerms, { ...BroadcastWorker.broadcastDefaults, ...policy }),
      Commands.layer.pipe(Layer.provide([cluster, TurnRunner.layerNone])),
      StoredMedia.layer({ folder: join(folder, "uploads") }).pipe(
        Layer.provide(LocalObjectStorage.layer({ folder: join(folder, "objects") }))
      ),
      RateLimiter.layer.pipe(Layer.provide(RateLimitMemory.layer))
    ])
  )
