/**
 * Use case: change the disclosure, with which every call of an organization begins. The customer chooses the words, but cannot leave them
 * out. The text is part of every agent's configuration. An engine that did not get the new configuration gets it with the next call, and that
 * call then waits for the audio of the new text.
 */
import { Effect, Schema } from "effect"
import { oneLine } from "../../basics/PlainText.ts"
import { traced } from "../../basics/Traced.ts"
import { Audit } from "../../people/access/Audit.ts"
import { type Organization, Organizations } from "../../people/organizations/Organization.ts"
import { EngineClient } from "../engine/EnginePorts.ts"
import { makePresentConfig } from "./PresentConfig.ts"
import { everyAgentId, primaryLanguages, VoiceAgents } from "./VoiceAgent.ts"

/** The text needs at least one letter: punctuation alone would be silence. */
const spoken = Schema.makeFilter(
  (text: string) => /\p{L}/u.test(text) || "must have words: the disclosure can be changed, but not switched off."
)

/** 1 to 500 characters on one line. Decoding trims the text. */
export const DisclosureText = Schema.Trim.pipe(Schema.decodeTo(oneLine(500).check(spoken)))

/** What agents of a language say instead, by the language. */
export const DisclosureTexts = Schema.Struct(
  Object.fromEntries(primaryLanguages.map((language) => [language, Schema.optionalKey(DisclosureText)] as const))
)

export interface NewDisclosure {
  readonly text: string
  /** All of them; without it they stay as they are. */
  readonly texts?: Readonly<Record<string, string | undefined>>
}

/** Needs the stores and the engine; the functions it returns need nothing. */
export const makeDisclosure = Effect.gen(function* () {
  const organizations = yield* Organizations
  const agents = yield* VoiceAgents
  const engine = yield* EngineClient
  const audit = yield* Audit
  const configOf = yield* makePresentConfig

  /** Sets the disclosure. It applies from the next call on. */
  const set = traced("Disclosure.set")(function* (
    { id, disclosureText, disclosureTexts }: Pick<Organization, "id" | "disclosureText" | "disclosureTexts">,
    { text, texts: given }: NewDisclosure
  ) {
    const texts =
      given === undefined
        ? undefined
        : Object.fromEntries(
            Object.entries(given).flatMap(([language, own]) => (own === undefined ? [] : [[language, own]]))
          )
    const both = (disclosureText: string, disclosureTexts: Organization["disclosureTexts"]) =>
      texts === undefined ? { disclosureText } : { disclosureText, disclosureTexts }
    yield* audit.recorded(id, organizations.setDisclosureText(id, text, texts), () => ({
      action: "organization.disclosure_changed",
      subjectId: id,
      before: both(disclosureText, disclosureTexts),
      after: both(text, texts ?? disclosureTexts)
    }))
    return { text, texts: texts ?? disclosureTexts }
  })

  /** Reads organization and agent again just before the push, because both may have changed meanwhile. */
  const push = Effect.fnUntraced(function* (organizationId: string, agentId: string) {
    const organization = yield* organizations.find(organizationId)
    const agent = yield* agents.find(organizationId, agentId)
    if (organization !== undefined && agent !== undefined) yield* engine.putAgent(yield* configOf(agent, organization))
    return true
  })

  /**
   * Gives the engine the configuration of every agent of the organization, one after another. The engine then synthesizes the text in each
   * voice before a call needs it. Returns how many agents there are and how many failed. A failure is logged; the next call makes up for it.
   */
  const synthesizeAhead = traced("Disclosure.synthesizeAhead")(function* (organizationId: string) {
    const ids = yield* everyAgentId(agents, organizationId)
    const done = yield* Effect.forEach(ids, (agentId) => {
      const failed = (reason: unknown) =>
        Effect.as(
          Effect.logWarning("the disclosure was not synthesized ahead", { organizationId, agentId, reason }),
          false
        )
      return push(organizationId, agentId).pipe(
        Effect.catch(({ message }) => failed(message)),
        // A record that cannot be read does not stop the others.
        Effect.catchDefect(failed)
      )
    })
    return { agents: done.length, failed: done.filter((succeeded) => !succeeded).length }
  })

  return { set, synthesizeAhead }
})
