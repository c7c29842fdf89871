/** What contacts say in voice messages becomes text: of the message, for people and for the text agent that answers it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Person } from "../../../../simulators/channel/People.ts"
import * as SpeechToText from "../../../../simulators/speech-to-text/SpeechToText.ts"
import { type Spoken, speak } from "../../../../simulators/voice/Voice.ts"
import { voiceNote } from "../../../../simulators/voice/VoiceNote.ts"
import { makeSql } from "../../../../src/integrations/postgres/tenancy/Sql.ts"
import { eventsOf } from "../../../support/conversations.ts"
import { comesAbout } from "../../../support/eventually.ts"
import * as samples from "../../../support/mediaSamples.ts"
import { playsInRealTime } from "../../../support/Slowness.ts"
import { answering, newTextAgent, startModels } from "../../../support/textAgents.ts"
import { inboxStage, person } from "./stage.ts"

playsInRealTime()

const ready = "Is my order two zero four one ready for pickup today?"
const hours = "What are your opening hours on Sunday?"
const human = "I would like to speak to a human please."
const opus = "audio/ogg; codecs=opus"

/** The inbox with speech-to-text that knows these sentences. With `reply`, a text agent answers. */
const stage = (agent?: { readonly reply: string }) =>
  Effect.gen(function* () {
    const known = yield* Effect.promise(() =>
      Promise.all([ready, hours, human, "Stop."].map((text) => speak(text, "en-US")))
    )
    const provider = yield* Effect.acquireRelease(
      Effect.promise(() => SpeechToText.start({ bank: known, apiKey: "key" })),
      ({ close }) => Effect.promise(close)
    )
    const models = yield* startModels(
      agent === undefined ? {} : { script: [{ when: /order two zero four one/i, reply: agent.reply }] }
    )
    const inbox = yield* inboxStage(
      {},
      1,
      5_000,
      {},
      {
        speechUrl: provider.url,
        ...(agent === undefined ? {} : { commands: Layer.orDie(answering(models)) })
      }
    )
    const { api, number, organizationId, run } = inbox
    if (agent !== undefined) yield* Effect.promise(() => run(newTextAgent(organizationId)))
    const utterance = (text: string): Spoken => {
      const found = known.find((spoken) => spoken.text === text)
      if (found === undefined) throw new Error(`nobody says ${text}`)
      return found
    }
    const say = (...texts: ReadonlyArray<string>) =>
      api.writeFile(number.phoneNumberId, person as Person, "audio", {
        mimeType: opus,
        bytes: voiceNote(...texts.map(utterance))
      })
    const send = (mimeType: string, bytes: Buffer) =>
      api.writeFile(number.phoneNumberId, person as Person, "audio", { mimeType, bytes })
    /** The content of the contact's message number `at`, when `holds` holds for it. */
    const content = (field: string, at = 0) =>
      comesAbout(`a message with ${field}`, async () => {
        const [message] = (await inbox.received(at + 1)).slice(at)
        return message.content[field] === undefined ? false : message.content
      })
    const said = () =>
      inbox
        .messages()
        .then((all) => all.filter(({ direction }) => direction === "outbound").map((one) => one.content.text))
    return { ...inbox, provider, models, say, send, content, said }
  })

describe("a voice message", () => {
  it.live(
    "is shown to people with its words, and counts for what it cost",
    () =>
      Effect.gen(function* () {
        const { say, content, call, run, organizationId, provider } = yield* stage()
        say(ready, hours)
        const heard = yield* Effect.promise(() => content("transcript"))
        assert.strictEqual(heard.transcript, `${ready} ${hours}`)
        assert.isString(heard.mediaId)
        const events = yield* Effect.promise(() => run(eventsOf(organizationId, "message.updated")))
        assert.isTrue(JSON.stringify(events.at(-1)).includes(hours))
        const { body } = yield* Effect.promise(() => call("GET", "/../ai-usage?groupBy=agent"))
        const [row] = body.data as ReadonlyArray<Record<string, unknown>>
        assert.deepInclude(row, { agentId: "voice_notes", agentName: "Voice messages", requests: 1, outputTokens: 0 })
        // Some seven seconds, of 100 tokens each.
        assert.isAtLeast(Number(row.inputTokens), 500)
        assert.isAtMost(Number(row.inputTokens), 900)
        assert.strictEqual(provider.stats.recordings, 1)
      }).pipe(Effect.scoped),
    240_000
  )

  it.live(
    "says in a sentence why it has no words: another form, nothing said, tokens used, no key",
    () =>
      Effect.gen(function* () {
        const { send, content, run, organizationId, provider } = yield* stage()
        send("audio/mpeg", samples.mp3())
        assert.match(
          String((yield* Effect.promise(() => content("transcriptError"))).transcriptError),
          /in a form that is not/
        )
        const nothing = yield* Effect.promise(() => speak("Nobody knows this sentence at all.", "en-US"))
        send(opus, voiceNote(nothing))
        assert.match(
          String((yield* Effect.promise(() => content("transcriptError", 1))).transcriptError),
          /^No words were heard/
        )
        assert.strictEqual(provider.stats.recordings, 1)
        yield* Effect.promise(() =>
          run(
            Effect.flatMap(makeSql, ({ sql, asTenant }) =>
              asTenant(organizationId)(
                sql`INSERT INTO ai_usage (organization_id, day, agent_id, model, requests, input_tokens, output_tokens)
                  SELECT id, (now() AT TIME ZONE time_zone)::date, 'bot_1', 'm', 1, 900000000, 0 FROM organizations`
              )
            )
          )
        )
        send(opus, voiceNote(nothing, nothing))
        assert.match(
          String((yield* Effect.promise(() => content("transcriptError", 2))).transcriptError),
          /used its AI tokens/
        )
        assert.strictEqual(provider.stats.recordings, 1)
      }).pipe(Effect.scoped),
    240_000
  )

  it.live(
    "is written down after an outage of the provider, once",
    () =>
      Effect.gen(function* () {
        const { say, content, provider } = yield* stage()
        provider.faults.failRecordings = 2
        say(hours)
        assert.strictEqual((yield* Effect.promise(() => content("transcript"))).transcript, hours)
        assert.strictEqual(provider.stats.recordings, 1)
      }).pipe(Effect.scoped),
    240_000
  )

  it.live(
    "in which somebody says STOP is obeyed as one who writes it",
    () =>
      Effect.gen(function* () {
        const { say, content, run, organizationId, said } = yield* stage()
        say("Stop.")
        yield* Effect.promise(() => content("transcript"))
        const withdrawn = Effect.flatMap(makeSql, ({ sql, asTenant }) =>
          asTenant(organizationId)(sql<{ text: string }>`SELECT text FROM consents WHERE action = 'withdrawn'`)
        )
        const [wish] = yield* Effect.promise(() =>
          comesAbout("the wish is stored", async () => {
            const found = await run(withdrawn)
            return found.length > 0 && found
          })
        )
        assert.strictEqual(wish.text, "Stop.")
        yield* Effect.promise(() => comesAbout("it is confirmed", async () => (await said()).length === 1))
      }).pipe(Effect.scoped),
    240_000
  )

  it.live(
    "is answered by the text agent in one answer to what was said, and not to that something was sent",
    () =>
      Effect.gen(function* () {
        const { say, said, models, provider } = yield* stage({ reply: "It is ready." })
        provider.faults.latencyMs = 4_000
        say(ready)
        yield* Effect.promise(() => comesAbout("an answer", async () => (await said()).length > 0))
        yield* Effect.sleep("2 seconds")
        assert.deepStrictEqual(yield* Effect.promise(said), ["I am an AI assistant.\n\nIt is ready."])
        const read = models.model.requests.map(({ messages }) => messages.at(-1)?.content)
        assert.deepStrictEqual(read, [`[Voice message:] ${ready}`])
      }).pipe(Effect.scoped),
    240_000
  )

  it.live(
    "that asks for a human is handed over, and one that cannot be heard is answered all the same",
    () =>
      Effect.gen(function* () {
        const { say, send, said, models } = yield* stage({ reply: "It is ready." })
        send("audio/mpeg", samples.mp3())
        yield* Effect.promise(() => comesAbout("an answer", async () => (await said()).length === 1))
        const [request] = models.model.requests
        assert.match(String(request.messages.at(-1)?.content), /which you cannot hear. The voice message is in a form/)
        say(human)
        yield* Effect.promise(() => comesAbout("a hand-over", async () => (await said()).length === 2))
        assert.match(String((yield* Effect.promise(said))[1]), /colleague|human/i)
      }).pipe(Effect.scoped),
    240_000
  )
})
