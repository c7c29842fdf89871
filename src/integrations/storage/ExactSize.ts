/** Checks that a body has exactly its announced size. */
import { Effect, Stream } from "effect"

/** Passes the chunks on. Fails with `wrong(bytes so far)` as soon as there are more than `size` bytes, or at the end when there are fewer. */
export const exactSize =
  <Wrong>(size: number, wrong: (bytes: number) => Wrong) =>
  <E, R>(body: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array, E | Wrong, R> =>
    Stream.suspend(() => {
      let bytes = 0
      const counted = Stream.mapEffect(body, (chunk) => {
        bytes += chunk.byteLength
        return bytes > size ? Effect.fail(wrong(bytes)) : Effect.succeed(chunk)
      })
      const end = Stream.suspend(() => (bytes < size ? Stream.fail(wrong(bytes)) : Stream.empty))
      return Stream.concat(counted, end)
    })
