/** A body that must be as long as was said of it. */
import { Effect, Stream } from "effect"

/** Passes the chunks on and fails with `wrong(bytes so far)` as soon as there are more than `size`, or at the end when there are less. */
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
