/** 409 that names the record which has what must be there once, in a sentence and in the header `X-Existing-Id`. */
import { Effect } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { Conflict } from "./Errors.ts"

export const existing = (id: string, error: string) =>
  Effect.andThen(
    HttpEffect.appendPreResponseHandler((_, response) =>
      Effect.succeed(HttpServerResponse.setHeader(response, "x-existing-id", id))
    ),
    new Conflict({ error })
  )
