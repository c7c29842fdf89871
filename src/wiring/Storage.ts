/** The layers of storage: database, files, secrets. */

import { join } from "node:path"
import { Effect, Layer, Option } from "effect"
import type { Settings } from "../config/Environment.ts"
import * as ConvertedMedia from "../integrations/media/ConvertedMedia.ts"
import * as StoredMedia from "../integrations/media/StoredMedia.ts"
import * as Database from "../integrations/postgres/database/Database.ts"
import * as EmbeddedPostgres from "../integrations/postgres/database/EmbeddedPostgres.ts"
import * as Repositories from "../integrations/postgres/Repositories.ts"
import * as KeyRing from "../integrations/secrets/KeyRing.ts"
import * as LocalObjectStorage from "../integrations/storage/LocalObjectStorage.ts"

/** PostgreSQL (the operator's, or the embedded one) and the repositories that use it. */
export const storage = (settings: Settings) => {
  const database = Option.match(settings.databaseUrl, {
    onSome: (url) =>
      Database.layer({
        url,
        ...(Option.isSome(settings.migrationDatabaseUrl) ? { migrationUrl: settings.migrationDatabaseUrl.value } : {})
      }),
    onNone: () =>
      Layer.unwrap(Effect.map(EmbeddedPostgres.EmbeddedPostgres, ({ url }) => Database.layer({ url }))).pipe(
        Layer.provide(EmbeddedPostgres.layer({ dataDir: join(settings.dataDir, "postgres") }))
      )
  })
  return Repositories.layer.pipe(Layer.provide(keyRing(settings)), Layer.provideMerge(database))
}

export const keyRing = (settings: Settings) =>
  Option.match(settings.encryptionKeys, {
    onSome: (ring) => KeyRing.layer({ ring }),
    onNone: () => KeyRing.layerFile({ dataDir: settings.dataDir })
  })

/** A folder of one engine alone. The first worker uses the folder of a single process, so a change of the number of workers loses nothing in it. */
export const ownFolder = ({ dataDir, worker }: Settings, name: string) =>
  worker === undefined || worker.id === 1 ? join(dataDir, name) : join(dataDir, name, `worker-${worker.id}`)

/** Files in the operator's bucket, or in a local folder. The bucket's client is large, so it is loaded only when it is needed. */
export const objectStorage = (settings: Settings) => {
  const { bucket, endpoint, region, accessKeyId, secretAccessKey, pathStyle } = settings.objectStorage
  if (Option.isNone(bucket)) return LocalObjectStorage.layer({ folder: join(settings.dataDir, "objects") })
  const credentials = Option.all({ accessKeyId, secretAccessKey })
  return Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("../integrations/storage/S3ObjectStorage.ts")),
      (S3ObjectStorage) =>
        S3ObjectStorage.layer({
          bucket: bucket.value,
          region,
          endpoint: Option.getOrUndefined(endpoint),
          credentials: Option.getOrUndefined(credentials),
          pathStyle: Option.getOrElse(pathStyle, () => Option.isSome(endpoint))
        })
    )
  )
}

/** Files of messages. A folder holds them while they arrive. */
export const media = (settings: Settings) =>
  ConvertedMedia.layer.pipe(Layer.provideMerge(StoredMedia.layer({ folder: join(settings.dataDir, "uploads") })))
