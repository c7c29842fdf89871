/** Text agents in conversations, over real stores: what contacts are answered, and when nothing is said any more. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { KnowledgeBases } from "../../../../src/domain/ai/knowledge/KnowledgeBase.ts"
import { type TextAgent, TextAgents } from "../../../../src/domain/messaging/agents/TextAgent.ts"
import { ConversationCommands } from "../../../../src/domain/messaging/conversations/ConversationCommand.ts"
import { ConversationNotes } from "../../../../src/domain/messaging/conversations/ConversationNote.ts"
import type { Message } from "../../../../src/domain/messaging/conversations/Message.ts"
import { Contacts } from "../../../../src/domain/people/contacts/Contact.ts"
import { Organizations } from "../../../../src/domain/people/organizations/Organization.ts"
import { Calls } from "../../../../src/domain/voice/calls/records/CallRecord.ts"
import { Deals } from "../../../../src/domain/voice/calls/records/Deals.ts"
import { makeSql } from "../../../../src/integrations/postgres/tenancy/Sql.ts"
import { eventsOf, newConversation, newPerson, shownConversation } from "../../../support/conversations.ts"
import { eventually } from "../../../support/eventually.ts"
import { newKnowledge } from "../../../support/knowledge.ts"
import { connectChannel } from "../../../support/messaging.ts"
import { newOrganization, testStores } from "../../../support/tenants.ts"
import { answering, type ModelOptions, newTextAgent, startModels, startTool } from "../../../support/textAgents.ts"

const script: ModelOptions["script"] = [
  { when: /hours/i, reply: "We are open from **nine to six**." },
  { when: /slow/i, reply: "One moment is over." },
  { when: /something rude/i, reply: "You are a forbiddenword." },
  { when: /book it/i, tool: { name: "book", arguments: { day: "Friday" } }, reply: (result) => `Done: ${result}` },
  {
    when: /colleague please do/i,
    tool: { name: "assign_to_human", arguments: { reason: "a refund" } },
    reply: "never said"
  },
  {
    when: /which day/i,
    tool: { name: "ask_day", arguments: { text: "Which day?", button1: "Friday", button2: "Saturday" } },
    reply: "Please choose."
  },
  { when: /all done/i, tool: { name: "finish", arguments: {} }, reply: "Goodbye." },
  { when: /remind me/i, tool: { name: "remind", arguments: { minutes: 30, text: "the order" } }, reply: "I will." },
  { when: /tag me/i, tool: { name: "tag", arguments: { tag: "vip" } }, reply: "You are one." },
  {
    when: /dogs/i,
    tool: { name: "search_knowledge", arguments: { query: "May I bring my dogs?" } },
    reply: (result) => `It says: ${result}`
  },
  {
    when: /submarines/i,
    tool: { name: "search_knowledge", arguments: { query: "Do you sell submarines?" } },
    reply: "I do not know that. Shall I connect you with a colleague?"
  },
  { when: /^Sum up|Contact: /i, reply: "Asha wants a refund." }
]

const builtin = (name: string, builtinName: string, properties: Record<string, { type: string }>) => ({
  name,
  description: name,
  parameters: { type: "object" as const, properties },
  handler: { type: "builtin" as const, name: builtinName }
})
const string = { type: "string" }

/** An organization with an agent, a contact that can write to it, and what became of it. */
const stage = (changes: Partial<TextAgent> = {}, options: ModelOptions = {}, deals?: Layer.Layer<Deals>) =>
  Effect.gen(function* () {
    const stores = yield* Effect.context<Layer.Success<typeof testStores>>()
    const models = yield* startModels({ script, defaultReply: "How can I help?", ...options })
    const actors = yield* Layer.build(answering(models, undefined, undefined, deals)).pipe(Effect.provide(stores))
    const tool = yield* startTool
    const provide = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provide(effect, Layer.succeedContext(stores))
    const commands = yield* Effect.provide(ConversationCommands, actors)
    return yield* provide(
      Effect.gen(function* () {
        const { id: organizationId } = yield* newOrganization({ plan: "PRO" })
        yield* connectChannel(organizationId)
        const tools = [
          {
            name: "book",
            description: "Books a visit.",
            parameters: { type: "object" as const, properties: { day: string } },
            handler: { type: "http" as const, url: tool.url, method: "POST" as const }
          },
          builtin("ask_day", "send_buttons", { text: string, button1: string, button2: string }),
          builtin("finish", "resolve", {}),
          builtin("remind", "remind_later", { minutes: { type: "integer" }, text: string }),
          builtin("tag", "tag_contact", { tag: string })
        ]
        const agent = yield* newTextAgent(organizationId, { tools, ...changes })
        const place = yield* newConversation(organizationId)
        const { conversationId } = place
        let written = 0
        const write = (text: string, at = Date.now()) =>
          commands.receive(
            {
              organizationId,
              conversationId,
              type: "text",
              content: { text },
              channelMessageId: `wamid.${conversationId}.${++written}`
            },
            at
          )
        const person = yield* newPerson(organizationId)
        const personWrites = (text: string, sentBy = person.id) =>
          commands.send({ organizationId, conversationId, type: "text", content: { text }, sentBy }, Date.now())
        const change = (assignee: string | null) =>
          commands.change(organizationId, conversationId, { assignee }, Date.now())
        const shown = provide(shownConversation(place))
        const said = Effect.map(
          shown,
          ({ messages }): ReadonlyArray<Message> =>
            messages.filter(({ direction }) => direction === "outbound").toReversed()
        )
        const texts = Effect.map(said, (all) =>
          all
            .filter(({ sentBy }) => sentBy === agent.id)
            .map(({ content }) => String(content.text ?? JSON.stringify(content)))
        )
        const answers = (count: number) =>
          eventually(
            `${count} answers`,
            Effect.map(texts, (all) => (all.length >= count ? all : undefined))
          )
        const rows = <A extends object>(query: string) =>
          provide(Effect.flatMap(makeSql, ({ sql, asTenant }) => asTenant(organizationId)(sql.unsafe<A>(query))))
        const notes = provide(
          Effect.flatMap(ConversationNotes, (all) =>
            Effect.map(all.list(organizationId, conversationId, { page: 1, limit: 10 }), (found) => found?.data ?? [])
          )
        )
        const told = (type: string) => provide(eventsOf(organizationId, type))
        return {
          ...{ organizationId, conversationId, agent, tool, place, person, models, provide, notes, told },
          ...{ write, personWrites, change, shown, said, texts, answers, rows }
        }
      })
    )
  })

const quiet = Effect.sleep("400 millis")

// Sequential: the sweep of each test serves every organization, with the model of that test.
layer(testStores, { excludeTestServices: true })("a text agent", (it) => {
  it.effect("takes the conversation, says that it is an AI once, and answers in the channel's marks", () =>
    Effect.gen(function* () {
      const { write, answers, shown, agent, rows, organizationId, said, models } = yield* stage()
      yield* write("What are your hours?")
      assert.deepStrictEqual(yield* answers(1), ["I am an AI assistant.\n\nWe are open from *nine to six*."])
      assert.deepInclude(yield* shown, { status: "ASSIGNED", assignee: agent.id })
      yield* write("Thanks")
      assert.deepStrictEqual((yield* answers(2)).at(-1), "How can I help?")
      assert.deepStrictEqual(
        (yield* said).map(({ status, sentBy }) => [status, sentBy]),
        [
          ["queued", agent.id],
          ["queued", agent.id]
        ]
      )
      const usage = yield* rows<object>(
        "SELECT agent_id, model, requests::int, input_tokens::int, output_tokens::int FROM ai_usage"
      )
      assert.deepStrictEqual(usage, [
        { agentId: agent.id, model: "test-model", requests: 2, inputTokens: 20, outputTokens: 20 }
      ])
      const [{ messages, user }] = models.model.requests
      assert.strictEqual(user, organizationId)
      assert.deepStrictEqual(messages[0], { role: "system", content: "You answer for a bookshop." })
      assert.include(JSON.stringify(messages[2]), "Asha Rao")
    })
  )

  it.effect("is told the newest orders of the contact, and those of nobody else", () =>
    Effect.gen(function* () {
      const { write, answers, models, rows, place, organizationId } = yield* stage()
      for (const [number, contactId, day] of [
        ["A-1", `'${place.contactId}'`, 1],
        ["A-2", `'${place.contactId}'`, 2],
        ["A-3", "NULL", 3]
      ])
        yield* rows(`INSERT INTO orders (organization_id, id, number, status, contact_id, currency, lines, discount, shipping, subtotal, tax,
            total, placed_at, created_at, updated_at)
          VALUES ('${organizationId}', 'ord_${number}', '${number}', 'paid', ${contactId}, 'EUR', '[]', 0, 0, 4200, 0, 4200,
            '2026-11-0${day}', '2026-11-0${day}', '2026-11-0${day}')`)
      yield* write("What are your hours?")
      yield* answers(1)
      const [request] = models.model.requests
      const facts = request.messages.map(({ content }) => String(content)).find((text) => text.includes("orders:"))
      assert.include(
        facts,
        'The contact\'s newest orders: "A-2" (paid, 42.00 EUR, placed on 2026-11-02); "A-1" (paid, 42.00 EUR, placed on 2026-11-01).'
      )
      assert.isTrue(models.filter.texts.some((text) => text.includes("A-2")))
    }).pipe(Effect.scoped)
  )

  it.effect("is told the deals that the contact was called about and the newest others, as the CRM knows them", () =>
    Effect.gen(function* () {
      const crm = Layer.succeed(Deals, {
        find: (_, id) =>
          Effect.succeed({
            id,
            facts: id === "7" ? {} : { name: `Shelves ${id}`, stage: "offer sent", amount: "900 EUR" }
          }),
        ofContact: (_, contactId) =>
          Effect.succeed(["6", "8"].map((id) => ({ id, facts: { name: `Shelves ${id} of ${contactId}` } })))
      })
      const { write, answers, models, provide, rows, place, organizationId } = yield* stage({}, {}, crm)
      const calls = yield* provide(Calls)
      for (const [at, dealId] of ["5", "6", "7"].entries()) {
        const numbers = { from: "+14155550100", to: "+14155550101" }
        const beginning = { agentId: null, direction: "outbound", status: "ringing", callSid: `CA${at}` } as const
        const { call } = yield* provide(calls.open({ organizationId, ...beginning, ...numbers }))
        yield* rows(`UPDATE calls SET deal_id = '${dealId}', contact_id = '${place.contactId}', created_at = '2026-11-0${at + 1}'
          WHERE id = '${call.id}'`)
      }
      yield* write("What are your hours?")
      yield* answers(1)
      const [request] = models.model.requests
      const facts = request.messages.map(({ content }) => String(content)).find((text) => text.includes("deals"))
      assert.include(
        facts,
        `The contact's deals: "Shelves 6" (stage offer sent, amount 900 EUR); "Shelves 5" (stage offer sent, amount 900 EUR); "Shelves 8 of ${place.contactId}".`
      )
      assert.isTrue(models.filter.texts.some((text) => text.includes("Shelves 6")))
    }).pipe(Effect.scoped)
  )

  it.effect("answers several messages with one answer, and waits for the last of them", () =>
    Effect.gen(function* () {
      const { write, answers, texts, models } = yield* stage({
        limits: { waitMs: 700, historyTokens: 4_000, modelCallsPerTurn: 8, secondsPerTurn: 30 }
      })
      for (const text of ["Hello", "I am Asha", "and I need the hours."]) {
        yield* write(text)
        yield* Effect.sleep("100 millis")
      }
      yield* answers(1)
      yield* quiet
      assert.lengthOf(yield* texts, 1)
      assert.lengthOf(models.model.requests, 1)
    })
  )

  it.effect("begins anew when more comes while it thinks, at most twice", () =>
    Effect.gen(function* () {
      const { write, answers, models } = yield* stage({}, { firstTokenMs: 1_000 })
      for (let n = 1; n <= 4; n++) {
        yield* write(`slow ${n}`)
        yield* eventually(`request ${Math.min(n, 3)}`, () => models.model.requests.length >= Math.min(n, 3))
        yield* Effect.sleep("100 millis")
      }
      // The third request answers the first three messages; the fourth message has a turn of its own. What the records say is in each.
      yield* answers(2)
      const asked = models.model.requests.map(
        ({ messages }) =>
          messages.filter(({ role, content }) => role === "user" && !String(content).startsWith("[From the records"))
            .length
      )
      assert.deepStrictEqual(asked, [1, 2, 3, 4])
      assert.isAtLeast(models.model.stats.aborted, 2)
    })
  )

  it.effect("says nothing after a person has written, until the conversation is handed back", () =>
    Effect.gen(function* () {
      const { write, personWrites, texts, answers, change, agent, models, shown } = yield* stage(
        {},
        { firstTokenMs: 600 }
      )
      yield* write("What are your hours?")
      yield* eventually("the model is asked", () => models.model.requests.length === 1)
      yield* personWrites("I am here.")
      yield* Effect.sleep("1 second")
      yield* write("And on Sunday? Your hours?")
      yield* quiet
      assert.deepStrictEqual(yield* texts, [])
      yield* change(agent.id)
      assert.lengthOf(yield* answers(1), 1)
      assert.strictEqual((yield* shown).assignee, agent.id)
    })
  )

  it.effect("is silenced by an assignment and by a program's text, but not by a template", () =>
    Effect.gen(function* () {
      const { write, personWrites, texts, answers, change, agent, person } = yield* stage()
      yield* change(person.id)
      yield* write("Your hours?")
      yield* quiet
      assert.deepStrictEqual(yield* texts, [])
      yield* change(agent.id)
      yield* answers(1)
      yield* personWrites("From our CRM.", "key_1")
      yield* write("Your hours?")
      yield* quiet
      assert.lengthOf(yield* texts, 1)
    })
  )

  it.effect("hands over when the contact asks for a human, with a note for the colleague", () =>
    Effect.gen(function* () {
      const { write, answers, shown, notes, texts, agent, rows } = yield* stage()
      yield* write("I want to talk to a human")
      assert.deepStrictEqual(yield* answers(1), [`${agent.disclosureText}\n\n${agent.handOverLine}`])
      assert.deepInclude(yield* shown, { status: "OPEN", assignee: null })
      const [note] = yield* notes
      assert.strictEqual(note.author, agent.id)
      assert.include(note.text, "Asha wants a refund.")
      yield* write("Hello? Your hours?")
      yield* quiet
      assert.lengthOf(yield* texts, 1)
      const [entry] = yield* rows<{ stateAfter: object }>(
        "SELECT state_after FROM audit_log WHERE action = 'conversation.handed_over'"
      )
      assert.deepStrictEqual(entry.stateAfter, { agentId: agent.id, reason: "The contact asked for a human." })
    })
  )

  it.effect("hands over when its model wants a colleague", () =>
    Effect.gen(function* () {
      const { write, answers, shown, notes } = yield* stage()
      yield* write("The colleague please do my refund")
      yield* answers(1)
      assert.strictEqual((yield* shown).status, "OPEN")
      assert.include((yield* notes)[0].text, "a refund")
    })
  )

  it.effect(
    "hands over, and says nothing of it, when the content filter flags what was written or what it would say",
    () =>
      Effect.gen(function* () {
        const first = yield* stage({}, { flagWords: ["forbiddenword"] })
        yield* first.write("You forbiddenword")
        assert.deepStrictEqual(yield* first.answers(1), [`I am an AI assistant.\n\n${first.agent.fallbackLine}`])
        assert.lengthOf(first.models.model.requests, 0)
        assert.deepInclude(yield* first.shown, { status: "OPEN", flagged: true })
        const second = yield* stage({}, { flagWords: ["forbiddenword"] })
        yield* second.write("Say something rude")
        yield* second.answers(1)
        assert.notInclude(JSON.stringify(yield* second.said), "forbiddenword")
        const entries = yield* second.rows<{ stateAfter: { what: string } }>(
          "SELECT state_after FROM audit_log WHERE action = 'conversation.flagged'"
        )
        assert.deepStrictEqual(
          entries.map(({ stateAfter }) => stateAfter.what),
          ["output"]
        )
      })
  )

  it.effect("runs a tool once, with the idempotency key of its turn, and answers with its result", () =>
    Effect.gen(function* () {
      const { write, answers, tool, rows } = yield* stage()
      tool.state.answer = "Friday at ten"
      yield* write("Please book it")
      assert.include((yield* answers(1))[0], "Done: Friday at ten")
      assert.lengthOf(tool.state.asked, 1)
      assert.match(tool.state.asked[0].key, /^trn_\w+:call_\w+$/)
      assert.deepStrictEqual(JSON.parse(tool.state.asked[0].body), { day: "Friday" })
      const [run] = yield* rows<object>("SELECT name, outcome, result FROM agent_tool_runs")
      assert.deepStrictEqual(run, { name: "book", outcome: "ok", result: "Friday at ten" })
    })
  )

  it.effect(
    "keeps the sources of what it looked up with its answer, shows them to people, and collects what it did not find",
    () =>
      Effect.gen(function* () {
        const { write, answers, said, agent, organizationId, conversationId, provide, rows } = yield* stage()
        const base = yield* provide(
          newKnowledge(organizationId, [["Are dogs allowed?", "Dogs may come in on a lead."]])
        )
        const change = (before: TextAgent) => Effect.succeed({ ...before, knowledgeBases: [base.id] })
        yield* provide(Effect.flatMap(TextAgents, (agents) => agents.update(organizationId, agent.id, change)))
        yield* write("May I bring my dogs?")
        assert.include((yield* answers(1))[0], "on a lead")
        const [answer] = yield* said
        assert.lengthOf(answer.sources ?? [], 1)
        assert.deepInclude(answer.sources?.[0], { knowledgeBaseId: base.id, title: "Questions", url: null })
        // The contact gets the text alone.
        assert.deepStrictEqual(Object.keys(answer.content), ["text"])
        const [run] = yield* rows<{ sources: unknown }>("SELECT sources FROM agent_tool_runs")
        assert.deepStrictEqual(run.sources, answer.sources)
        yield* write("Do you sell submarines?")
        assert.include((yield* answers(2))[1], "do not know")
        assert.isUndefined((yield* said)[1].sources)
        const unanswered = yield* provide(
          Effect.flatMap(KnowledgeBases, (bases) => bases.unanswered(organizationId, base.id, { page: 1, limit: 10 }))
        )
        assert.deepInclude(unanswered?.data[0], {
          question: "Do you sell submarines?",
          agentId: agent.id,
          conversationId
        })
      })
  )

  it.effect("does not run a tool again when a newer message interrupts its turn", () =>
    Effect.gen(function* () {
      const { write, answers, tool, models } = yield* stage()
      tool.state.delayMs = 500
      yield* write("Please book it")
      yield* eventually("the tool runs", () => tool.state.asked.length === 1)
      yield* write("Please book it for Asha")
      yield* answers(1)
      yield* quiet
      assert.lengthOf(tool.state.asked, 1)
      const last = models.model.requests.at(-1)
      assert.isTrue(last?.messages.some(({ role, content }) => role === "tool" && content === "ok"))
    })
  )

  it.effect("sends buttons, resolves, remembers, and tags its contact", () =>
    Effect.gen(function* () {
      const { write, answers, said, shown, rows, place, provide, organizationId, agent } = yield* stage()
      yield* write("On which day")
      yield* answers(2)
      const [text, buttons] = yield* said
      assert.include(String(text.content.text), "Please choose.")
      assert.strictEqual(buttons.type, "interactive")
      yield* write("tag me")
      yield* answers(3)
      const contact = yield* provide(
        Effect.flatMap(Contacts, (contacts) => contacts.find(organizationId, place.contactId))
      )
      assert.deepStrictEqual(contact?.tags, ["vip"])
      yield* write("remind me")
      yield* answers(4)
      const [{ reminder, minutes }] = yield* rows<{ reminder: string; minutes: number }>(
        "SELECT reminder, round(extract(epoch FROM due_at - now()) / 60)::int AS minutes FROM agent_threads"
      )
      assert.deepStrictEqual([reminder, minutes], ["the order", 30])
      yield* rows(
        "UPDATE agent_threads SET due_at = now() - interval '5 seconds', remind_at = now() - interval '5 seconds'"
      )
      yield* answers(5)
      yield* write("all done")
      yield* answers(6)
      assert.deepInclude(yield* shown, { status: "RESOLVED", assignee: agent.id })
    })
  )

  it.effect("tries a turn once more when the model fails, and then hands over", () =>
    Effect.gen(function* () {
      const { write, answers, shown, models, notes } = yield* stage()
      models.model.faults.failNext = 100
      models.model.faults.status = 500
      yield* write("Your hours?")
      const [line] = yield* answers(1)
      assert.include(line, "A colleague will answer you here")
      assert.strictEqual((yield* shown).status, "OPEN")
      assert.include((yield* notes)[0].text, "could not answer twice")
    })
  )

  it.effect("hands over, and tells the organization once, when the tokens of the month are used", () =>
    Effect.gen(function* () {
      const { write, answers, shown, models, told, rows, organizationId, agent, change } = yield* stage()
      yield* rows(`INSERT INTO ai_usage VALUES ('${organizationId}', now()::date, 'bot_1', 'm', 1, 10000000, 0)`)
      yield* write("Your hours?")
      yield* answers(1)
      yield* change(agent.id)
      yield* write("Your hours?")
      yield* answers(2)
      assert.lengthOf(models.model.requests, 0)
      assert.strictEqual((yield* shown).status, "OPEN")
      const events = yield* told("ai.")
      assert.lengthOf(events, 1)
      assert.deepInclude(events[0].data.usage, { allowance: 10_000_000, used: 10_000_000 })
    })
  )

  it.effect("obeys STOP before its model sees it, and answers what the contact writes later", () =>
    Effect.gen(function* () {
      const { write, answers, texts, models } = yield* stage({}, { firstTokenMs: 500 })
      yield* write("Your hours?")
      yield* eventually("the model is asked", () => models.model.requests.length === 1)
      yield* write("STOP")
      yield* Effect.sleep("1 second")
      assert.deepStrictEqual(yield* texts, [])
      yield* write("Your hours?")
      yield* answers(1)
      assert.lengthOf(models.model.requests, 2)
    })
  )

  it.effect("writes nothing after the channel's 24 hours, and leaves the conversation to people", () =>
    Effect.gen(function* () {
      const { write, rows, said, shown, agent, change, models } = yield* stage({ answers: "never" })
      yield* write("Your hours?", Date.now() - 23 * 3_600_000)
      yield* rows("UPDATE conversations SET last_inbound_at = now() - interval '25 hours'")
      yield* change(agent.id)
      yield* eventually("the model is asked", () => models.model.requests.length === 1)
      yield* eventually(
        "the conversation is nobody's",
        Effect.map(shown, ({ status }) => status === "OPEN")
      )
      assert.deepStrictEqual(yield* said, [])
    })
  )

  it.effect("answers a turn that a dead process left, and says another line outside business hours", () =>
    Effect.gen(function* () {
      const { write, rows, answers, provide, organizationId, agent } = yield* stage({
        limits: { waitMs: 8_000, historyTokens: 4_000, modelCallsPerTurn: 8, secondsPerTurn: 30 },
        outsideHoursLine: "We are back tomorrow."
      })
      yield* provide(
        Effect.flatMap(Organizations, ({ setBusinessHours }) =>
          setBusinessHours(organizationId, "UTC", { weekly: [], holidays: [] })
        )
      )
      yield* write("A human")
      yield* rows("UPDATE agent_threads SET due_at = now() - interval '5 seconds'")
      assert.deepStrictEqual(yield* answers(1), [`${agent.disclosureText}\n\nWe are back tomorrow.`])
    })
  )
})
