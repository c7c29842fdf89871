/** `parley demo --outbound`: the agent phones a contact who has consented. The agent knows the contact and the deal. */
import { Console, Effect } from "effect"
import type { Script } from "../../../simulators/language-model/Script.ts"
import type { CallerApi } from "../../../simulators/telephone/Caller.ts"
import type { Settings } from "../../config/Environment.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { Contacts } from "../../domain/people/contacts/Contact.ts"
import { VoiceConsents } from "../../domain/people/contacts/VoiceConsent.ts"
import { converse, type DemoOptions, type Expectation } from "./converse.ts"
import { complaintsOf, unlessHeard } from "./report.ts"
import { type Stage, setStage } from "./stage.ts"
import { DemoFailed, made } from "./support/rest.ts"
import { until } from "./support/until.ts"

const lines = {
  who: "Hello? Who is calling, please?",
  when: "Oh, good. When can I collect them?",
  bye: "Thank you. See you on Friday."
} as const
type Line = keyof typeof lines

const contact = { phone: "+14155550142", name: "Asha Rao", tags: ["book club"] }
const deal = "D-1042"
const greeting = "Good morning Asha, this is Maple Books. Your books of order D-1042 are here."

/** A fact about this call from the model's system message; "nobody" when it is missing. */
const told = (messages: ReadonlyArray<{ readonly role: string; readonly content?: unknown }>, fact: RegExp): string =>
  fact.exec(String(messages.find(({ role }) => role === "system")?.content))?.[1] ?? "nobody"

const callee = (speech: Stage<Line>["speech"]) => async (person: CallerApi) => {
  for (const line of ["who", "when", "bye"] as const) {
    // First the disclosure and the welcome, then an answer each time.
    await person.waitForAgentToFinish(450)
    await person.say(speech[line].samples)
  }
  await person.waitForAgentToFinish(450)
  person.hangUp()
}

const request = ({ baseUrl, tenant: { key, agentId } }: Stage<Line>, contactId: string) =>
  made({ baseUrl, key }, `/api/voice-agents/${agentId}/calls`, { to: contact.phone, contactId, dealId: deal })

/** The result of the call at the callee's telephone, once the call is over. */
const result = Effect.fnUntraced(function* ({ network }: Stage<Line>) {
  const reached = Effect.sync(() => network.placed.calls.at(0))
  const placed = yield* until("The callee's telephone was not reached", 10, reached)
  const found = yield* Effect.promise(() => placed.result)
  return found ?? (yield* new DemoFailed({ message: "The callee did not take the call." }))
})

/** Creates the contact and the consent, requests the call, and waits for its result. */
const phone = Effect.fnUntraced(function* (stage: Stage<Line>, say: (line: string) => Effect.Effect<void>) {
  const { network, tenant, speech } = stage
  const { contact: person } = yield* (yield* Contacts).save(tenant.organizationId, contact, "demo")
  yield* (yield* VoiceConsents).record(
    { ...person, phone: contact.phone },
    {
      action: "granted",
      at: new Date().toISOString(),
      source: "demo",
      text: "Maple Books may call me about my orders, also with an AI assistant.",
      recordedBy: "demo"
    }
  )
  network.placed.callees.set(contact.phone, {
    outcome: "answers",
    afterMs: 1_500,
    caller: callee(speech),
    maxMs: 60_000
  })
  yield* request(stage, person.id)
  yield* say(`The agent phones ${contact.name} at ${contact.phone} from ${tenant.calledNumber}.\n`)
  return yield* result(stage)
})

const replies: Script = [
  {
    when: /who is calling/i,
    compose: ({ messages }) =>
      `Good morning ${told(messages, /You have called (\w+)/)}, this is Maple Books. ` +
      `Your books of order ${told(messages, /about the deal ([\w-]+)/)} are here.`
  },
  { when: /collect/i, reply: "Any day from nine to six. We keep them for two weeks." },
  { when: /thank you/i, reply: "You are welcome. Goodbye." }
]

const expected: Expectation = {
  complaints: (report) =>
    complaintsOf(report, [
      unlessHeard(report, Object.values(lines)),
      [report.transcript.some(({ text }) => text === greeting), "the agent did not know whom it called"],
      [report.endReason === "caller_hangup", `the call ended with ${report.endReason}`]
    ]),
  ending: `${contact.name} has hung up. All is well.`
}

export const outbound = traced("Demo.outbound")(function* (settings: Settings, options: DemoOptions) {
  const say = options.json ? () => Effect.void : Console.log
  yield* say("Starting PostgreSQL, the service and the world around it …")
  const stage = yield* setStage(settings, lines, { welcomeMessage: "Hello, Maple Books here." }, replies)
  yield* converse(stage, options, phone(stage, say), expected).pipe(Effect.provide(stage.services))
})
