/** Files of messages in a temporary folder. */
import { Effect, Layer } from "effect"
import * as StoredMedia from "../../src/integrations/media/StoredMedia.ts"
import * as LocalObjectStorage from "../../src/integrations/storage/LocalObjectStorage.ts"
import { temporaryFolder } from "./folder.ts"

/** Needs the stores. */
export const storedMedia = Layer.unwrap(
  Effect.map(temporaryFolder("media"), (folder) =>
    StoredMedia.layer({ folder: `${folder}/uploads` }).pipe(Layer.provide(LocalObjectStorage.layer({ folder })))
  )
)
