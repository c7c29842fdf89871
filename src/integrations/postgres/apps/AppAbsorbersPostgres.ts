/** The absorbers in Postgres: one line for each subject, its code in the wing that owns the tables. */
import { Effect, Layer } from "effect"
import { AppAbsorbers } from "../../../domain/apps/AppAbsorbers.ts"

export const layer = Layer.effect(
  AppAbsorbers,
  Effect.sync(() => AppAbsorbers.of({}))
)
