/** The `parley admin` command that sets an organization's disclosure: the words that every call begins with. */
import { Effect, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { DisclosureText, makeDisclosure } from "../../domain/voice/agents/Disclosure.ts"
import { AdminError, answer, existing, json, organization } from "./shared.ts"

/** The text, trimmed. Fails with an `AdminError` when it is no valid disclosure. */
export const parseDisclosure = (text: string) =>
  Schema.decodeEffect(DisclosureText)(text).pipe(
    Effect.mapError(
      () =>
        new AdminError({
          message: "A disclosure has words, at most 500 characters and no line breaks. It cannot be switched off."
        })
    )
  )

export const setDisclosure = Command.make(
  "set-disclosure",
  {
    organization,
    text: Flag.String("text").pipe(Flag.withDescription("What every call begins with, from the next one on")),
    json
  },
  Effect.fnUntraced(function* ({ organization, text, json }) {
    const found = yield* existing(organization)
    const wanted = yield* parseDisclosure(text)
    const disclosure = yield* makeDisclosure
    yield* disclosure.set(found, { text: wanted })
    const { agents, failed } = yield* disclosure.synthesizeAhead(found.id)
    yield* answer(json, { organizationId: found.id, text: wanted, agents, notSynthesizedAhead: failed })
  })
).pipe(Command.withDescription("Set what every call of an organization begins with"))
