/** `OneNode` by an advisory lock. The lock belongs to a session, so a connection is set aside for as long as the work goes on. */
import { Effect, Layer, Option } from "effect"
import { OneNode } from "../../../domain/basics/OneNode.ts"
import { makeSql } from "./Sql.ts"

/** Any fixed number: the first half of the lock's key, apart from other locks of the database. */
const family = 7_275_540

export const layer = Layer.effect(
  OneNode,
  Effect.gen(function* () {
    const { sql } = yield* makeSql
    return OneNode.of({
      run: (name, effect) =>
        Effect.scoped(
          Effect.gen(function* () {
            const session = yield* Effect.orDie(sql.reserve)
            const key = [family, name]
            const locked = yield* Effect.acquireRelease(
              Effect.map(
                session.executeValues("SELECT pg_try_advisory_lock($1::int, hashtext($2))", key),
                ([[taken]]) => taken === true
              ),
              (taken) =>
                // A connection that is gone has freed the lock by that.
                taken
                  ? Effect.ignore(session.executeValues("SELECT pg_advisory_unlock($1::int, hashtext($2))", key))
                  : Effect.void
            ).pipe(Effect.orDie)
            return locked ? Option.some(yield* effect) : Option.none()
          })
        )
    })
  })
)
