/** The `parley admin` command that rotates the key ring. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { KeyRotation } from "../../domain/privacy/KeyRotation.ts"
import { AdminError, answer, json } from "./shared.ts"

export const rotateKeys = Command.make(
  "rotate-keys",
  { json },
  Effect.fnUntraced(function* ({ json }) {
    const { run } = yield* KeyRotation
    const report = yield* run
    yield* answer(json, { ...report })
    if (report.unreadable > 0)
      return yield* new AdminError({
        message: `${report.unreadable} secrets do not open: a key of theirs is missing from ENCRYPTION_KEYS.`
      })
  })
).pipe(
  Command.withDescription(
    "Encrypt all stored secrets with the first key of ENCRYPTION_KEYS; says which keys are in use"
  )
)
