/** The absorbers in Postgres: one line for each subject, its code in the wing that owns the tables. */
import { Effect, Layer } from "effect"
import { AppAbsorbers } from "../../../domain/apps/AppAbsorbers.ts"
import { makeContactAbsorber } from "./ContactAbsorber.ts"

/** Needs Contacts and the database. */
export const layer = Layer.effect(
  AppAbsorbers,
  Effect.gen(function* () {
    return AppAbsorbers.of({ contact: yield* makeContactAbsorber })
  })
)
