/** An object storage in memory that can be told to refuse. It records the objects that it was asked to remove. */
import { Effect, Layer, Stream } from "effect"
import {
  type ObjectKey,
  ObjectNotFound,
  ObjectStorage,
  ObjectStorageError
} from "../../src/domain/basics/ObjectStorage.ts"

export class FakeObjects {
  readonly stored = new Set<ObjectKey>()
  readonly removed: Array<ObjectKey> = []
  refuse: (key: ObjectKey) => boolean = () => false

  readonly layer = Layer.succeed(ObjectStorage, {
    put: (key) => Effect.sync(() => void this.stored.add(key)),
    find: (key) =>
      this.stored.has(key) ? Effect.succeed({ size: 1, etag: '"1"' }) : Effect.fail(new ObjectNotFound({ key })),
    read: () => Stream.empty,
    remove: (key) =>
      Effect.suspend(() => {
        if (this.refuse(key))
          return Effect.fail(new ObjectStorageError({ operation: "remove", key, message: "refused" }))
        this.removed.push(key)
        this.stored.delete(key)
        return Effect.void
      })
  })
}
