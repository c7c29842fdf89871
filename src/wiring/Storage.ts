/** Where things are kept: database, files, secrets. */

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

/** PostgreSQL (the operator's, or the embedded one) and the repositories over it. */
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

/** What belongs to one engine alone. The first worker has the folder that a single process has, so nothing is left behind in between. */
export const ownFolder = ({ dataDir, worker }: Settings, name: string) =>
  worker === undefined || worker.id === 1 ? join(dataDir, name) : join(dataDir, name, `worker-${worker.id}`)

/** Files: in the operator's bucket, or in a folder. The client of the former is large, so it is loaded only then. */
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

/** Files of messages; gathered in a folder while they come. */
export const media = (settings: Settings) =>
  ConvertedMedia.layer.pipe(Layer.provideMerge(StoredMedia.layer({ folder: join(settings.dataDir, "uploads") })))
