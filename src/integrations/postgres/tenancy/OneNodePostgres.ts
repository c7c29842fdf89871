/** Implements `OneNode` by an advisory lock. The lock belongs to a database session, so a connection is reserved until the work ends. */
import { Effect, Layer, Option } from "effect"
import { OneNode } from "../../../domain/basics/OneNode.ts"
import { makeSql } from "./Sql.ts"

/** The first half of the lock's key: an arbitrary fixed number that no other lock of the database uses. */
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
                // A lost connection has already freed the lock.
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
