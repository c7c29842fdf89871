/**
 * Use case: what every call of an organization begins with. Its words are the customer's, but there are always some. The configurations of
 * all its agents change with it: an engine that was not told learns of it at the next call, which then waits for the new text's audio.
 */
import { Effect, Schema } from "effect"
import { oneLine } from "../../basics/PlainText.ts"
import { traced } from "../../basics/Traced.ts"
import { Audit } from "../../people/access/Audit.ts"
import { type Organization, Organizations } from "../../people/organizations/Organization.ts"
import { EngineClient } from "../engine/EnginePorts.ts"
import { agentConfig } from "./AgentConfigs.ts"
import { everyAgentId, VoiceAgents } from "./VoiceAgent.ts"

/** Without a letter there is nothing to say: punctuation would be silence. */
const spoken = Schema.makeFilter(
  (text: string) => /\p{L}/u.test(text) || "must have words: the disclosure can be changed, but not switched off."
)

/** 1 to 500 characters on one line; decoding trims it. */
export const DisclosureText = Schema.Trim.pipe(Schema.decodeTo(oneLine(500).check(spoken)))

/** Needs the stores and the engine once; the functions it gives need nothing. */
export const makeDisclosure = Effect.gen(function* () {
  const organizations = yield* Organizations
  const agents = yield* VoiceAgents
  const engine = yield* EngineClient
  const audit = yield* Audit

  /** In force from the next call on. */
  const set = traced("Disclosure.set")(function* (
    { id, disclosureText: before }: Pick<Organization, "id" | "disclosureText">,
    text: string
  ) {
    yield* audit.recorded(id, organizations.setDisclosureText(id, text), () => ({
      action: "organization.disclosure_changed",
      subjectId: id,
      before: { disclosureText: before },
      after: { disclosureText: text }
    }))
  })

  /** Read again just before it is pushed: the text and the agent may have changed meanwhile. */
  const push = Effect.fnUntraced(function* (organizationId: string, agentId: string) {
    const organization = yield* organizations.find(organizationId)
    const agent = yield* agents.find(organizationId, agentId)
    if (organization !== undefined && agent !== undefined) yield* engine.putAgent(agentConfig(agent, organization))
    return true
  })

  /**
   * Gives the engine the configuration of every agent of the organization, one after another: it synthesizes the text ahead in each voice.
   * Answers for how many that did not succeed; they are logged, and the next call does it.
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
        // One record that cannot be read is not the end of the others.
        Effect.catchDefect(failed)
      )
    })
    return { agents: done.length, failed: done.filter((succeeded) => !succeeded).length }
  })

  return { set, synthesizeAhead }
})
