/** JSON requests to a provider and their answers, which adapters share. */
import { Clock, Effect, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { type AppAnswer, AppFailure, type AppSession } from "../AppAdapter.ts"
import { isOk } from "../StatusFailure.ts"

export interface JsonRequest {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Sends a request, and gives its answer with any status. */
export const sendJson = ({ ask }: Pick<AppSession, "ask">, { method, url, headers, body }: JsonRequest) => {
  const bare = HttpClientRequest.make(method)(url).pipe(
    HttpClientRequest.setHeaders(headers),
    HttpClientRequest.acceptJson
  )
  return ask(body === undefined ? bare : HttpClientRequest.bodyText(bare, JSON.stringify(body), "application/json"))
}

/** Decodes the body of a success of `who`; every other status is the failure that `refused` makes of it. */
export const makeReadJson =
  (who: string, refused: (answer: AppAnswer, now: number) => AppFailure) =>
  <A>(schema: Schema.Decoder<A>, answer: AppAnswer): Effect.Effect<A, AppFailure> =>
    isOk(answer)
      ? Effect.mapError(
          Schema.decodeUnknownEffect(Schema.fromJsonString(schema))(answer.text),
          () => new AppFailure({ action: "retry", message: `${who}'s answer could not be read.` })
        )
      : Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.fail(refused(answer, now)))
