/** Reads the one file of a form (`multipart/form-data`) as a stream. */
import { Effect, Pull, Schema, type Scope, Stream } from "effect"
import type { Multipart } from "effect/http"
import { BadRequest } from "./Errors.ts"

/** The form is not valid. The message is a sentence for people. */
export class FormRefused extends Schema.TaggedError<FormRefused>()("FormRefused", { message: Schema.String }) {}

export interface UploadedFile {
  readonly filename: string
  /** The content type that the client claims. */
  readonly claimedType: string
  /** Fails, at its end at the latest, when the form has another file or is incomplete. The caller must then remove the bytes already stored. */
  readonly bytes: Stream.Stream<Uint8Array, FormRefused>
}

/** Limits for the parts beside the file. */
export const formLimits = { maxParts: 20, maxFieldSize: 64 * 1024 }

const refused = (message: string) => new FormRefused({ message })

const sentences: Readonly<Record<Exclude<Multipart.MultipartErrorReason["_tag"], "BodyTooLarge">, string>> = {
  Parse:
    "The form is not complete or not well-formed: it must be multipart/form-data, end with its last boundary, and name the boundary in its type.",
  FileTooLarge: "The file is too large.",
  FieldTooLarge: `A field of the form is larger than ${formLimits.maxFieldSize / 1024} KB.`,
  TooManyParts: `The form has more than ${formLimits.maxParts} parts.`,
  InternalError: "The form could not be read."
}
const refusalOf =
  (mostBytes: number) =>
  ({ reason }: Multipart.MultipartError) =>
    refused(
      reason._tag === "BodyTooLarge"
        ? `The file is larger than ${mostBytes / 1024 / 1024} MB, the most that is taken.`
        : sentences[reason._tag]
    )

/** Decodes a filename. Browsers percent-encode three characters and nothing else (WHATWG HTML, multipart/form-data). */
const named = (filename: string): string =>
  filename.replace(/%(22|0D|0A)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/** The file in the part `name`, of at most `mostBytes`. Other fields are skipped, another file is refused. Reads only up to the beginning of the file. */
export const uploadedFile = Effect.fnUntraced(function* (
  parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>,
  name: string,
  mostBytes: number
): Effect.fn.Return<UploadedFile, FormRefused, Scope.Scope> {
  const toRefusal = refusalOf(mostBytes)
  const pull = yield* Stream.toPull(Stream.mapError(parts, toRefusal))
  let waiting: ReadonlyArray<Multipart.Part> = []

  /** The next file, or `undefined` at the end of the form. */
  const nextFile: Effect.Effect<Multipart.File | undefined, FormRefused> = Effect.suspend(() => {
    const [part, ...rest] = waiting
    waiting = rest
    if (part === undefined)
      return pull.pipe(
        Effect.flatMap((more) => {
          waiting = more
          return nextFile
        }),
        Pull.catchDone(() => Effect.undefined)
      )
    if (part._tag === "File") return Effect.succeed(part)
    return part.key === name
      ? Effect.fail(refused(`The part \`${name}\` must be a file: send it with a filename.`))
      : nextFile
  })

  const file = yield* nextFile
  if (file === undefined) return yield* refused(`Send the file in a part named \`${name}\`; the form has none.`)
  if (file.key !== name) return yield* refused(`Send the file in a part named \`${name}\`, not \`${file.key}\`.`)
  const nothingMore = Effect.flatMap(nextFile, (another) =>
    another === undefined ? Effect.void : Effect.fail(refused("Send one file; the form has more than one."))
  )
  return {
    filename: named(file.name),
    claimedType: file.contentType,
    bytes: Stream.concat(Stream.mapError(file.content, toRefusal), Stream.drain(Stream.fromEffect(nothingMore)))
  }
})

/** An upload must be over after this time, in minutes. */
const longestMinutes = 30

/** An upload with its end: a form that is refused, and one that takes too long, are 400, and what was gathered of the file goes. */
export const asUpload = <A, E, R>(
  upload: Effect.Effect<A, E | FormRefused, R>
): Effect.Effect<A, Exclude<E, FormRefused> | BadRequest, Exclude<R, Scope.Scope>> =>
  upload.pipe(
    Effect.scoped,
    Effect.timeoutOrElse({
      duration: `${longestMinutes} minutes`,
      orElse: () => new BadRequest({ error: `The upload took longer than ${longestMinutes} minutes.` })
    }),
    Effect.mapError((error) =>
      error instanceof FormRefused ? new BadRequest({ error: error.message }) : (error as Exclude<E, FormRefused>)
    )
  )
