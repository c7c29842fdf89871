/** Knowledge bases from the request that adds a source to the passage that is found, on a real database, with real documents. */
import { readdirSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { KnowledgeBases } from "../../../../src/domain/ai/knowledge/KnowledgeBase.ts"
import { makeKnowledgeTool } from "../../../../src/domain/ai/knowledge/KnowledgeTool.ts"
import { Calls } from "../../../../src/domain/voice/calls/records/CallRecord.ts"
import type { CallEvent } from "../../../../src/domain/voice/engine/CallEvent.ts"
import { AppCallbacks } from "../../../../src/domain/voice/engine/EnginePorts.ts"
import * as HttpAppCallbacks from "../../../../src/integrations/engine/HttpAppCallbacks.ts"
import { newConversation } from "../../../support/conversations.ts"
import { pdf } from "../../../support/documents.ts"
import { answered, desk, said } from "../../../support/escalation.ts"
import { answers, filter, knowledgeDesk, local, root, site } from "../../../support/knowledgeDesk.ts"
import { secret } from "../../world.ts"

describe("a knowledge base", () => {
  it.live("answers from its pairs of question and answer after their sync, and from changed ones after the next", () =>
    Effect.gen(function* () {
      const { owner, add, sync, state, search, first, base } = yield* knowledgeDesk
      const source = yield* add(
        answers(
          ["Do you deliver?", "Yes, in two days, for 4 dollars."],
          ["How long can I return a book?", "You can bring it back within 30 days, with the receipt."],
          ["Who binds your notebooks?", "Ishwar Venkataraman in Pune. Ask for model KX-2210/B."]
        )
      )
      assert.deepInclude(yield* state(source), { state: "queued", passages: 0, syncedAt: null })
      assert.deepStrictEqual((yield* search("return")).passages, [])
      assert.strictEqual(yield* sync(), 1)
      assert.deepInclude(yield* state(source), {
        state: "ready",
        problem: null,
        progress: null,
        passages: 3,
        skipped: []
      })
      assert.match(yield* first("What are your rules for returning books?"), /30 days/)
      assert.match(yield* first("Is delivery possible?"), /4 dollars/)
      assert.match(yield* first("kx2210b"), /Pune/)
      assert.match(yield* first("KX-2210/B"), /Pune/)
      // The name as a caller's words are transcribed.
      assert.match(yield* first("is ishvar venkatraman there"), /Pune/)
      assert.isTrue((yield* search("How long can I return a book?")).answered)
      assert.isFalse((yield* search("Do you repair bicycles on Sundays?")).answered)

      yield* owner.ask("PUT", source, {
        body: { answers: [{ question: "Do you deliver?", answer: "Only in Boston." }] }
      })
      assert.match(yield* first("Is delivery possible?"), /4 dollars/)
      yield* sync()
      assert.match(yield* first("Is delivery possible?"), /Boston/)
      assert.strictEqual((yield* owner.ask("GET", base)).body.passages, 1)
      assert.strictEqual((yield* owner.ask("DELETE", source)).status, 200)
      assert.deepStrictEqual((yield* search("delivery")).passages, [])
    })
  )

  it.live("finds the words of other languages in all their forms, with and without accents", () =>
    Effect.gen(function* () {
      const { add, sync, first } = yield* knowledgeDesk
      yield* add(answers(["¿Cuánto cuesta el envío?", "Los envíos a España cuestan 6 euros y tardan tres días."]))
      yield* add(
        answers(
          ["किताब कैसे लौटाएँ?", "किताबें तीस दिनों के भीतर लौटाई जा सकती हैं।"],
          ["दुकान कब खुलती है?", "हम सुबह दस बजे खोलते हैं।"]
        )
      )
      yield* add(answers(["Opening hours", "We are open from nine to six."]))
      yield* sync()
      assert.match(yield* first("cuanto cuesta un envio"), /6 euros/)
      assert.match(yield* first("किताबों को लौटाना है"), /तीस/)
      assert.match(yield* first("when do you open"), /nine to six/)
    })
  )

  it.live("reads files, and a source says what is wrong with one while the others are found", () =>
    Effect.gen(function* () {
      const { upload, sync, state, first, objectsFolder, owner, base } = yield* knowledgeDesk
      const good = yield* upload("# Warranty\n\nTwo years on every lamp.", "warranty.md")
      const printed = yield* upload(pdf([["# Parking", "Behind the house, free for two hours."]]), "parking.pdf")
      const locked = yield* upload(pdf([["secret"]], true), "locked.pdf")
      const empty = yield* upload(pdf([[]]), "scan.pdf")
      yield* sync()
      assert.deepInclude(yield* state(good), { type: "file", title: "warranty.md", state: "ready", passages: 1 })
      assert.deepInclude(yield* state(printed), { state: "ready", passages: 1 })
      assert.match((yield* state(locked)).problem, /protected by a password/)
      assert.match((yield* state(empty)).problem, /holds no text/)
      assert.match(yield* first("how long is the warranty of a lamp"), /Two years/)
      assert.match(yield* first("where can I park"), /free for two hours/)
      const { body } = yield* owner.ask("GET", `${base}/sources`)
      assert.strictEqual(body.total, 4)
      // Nothing is left of a deleted knowledge base, not even its files.
      assert.strictEqual((yield* owner.ask("DELETE", base)).status, 200)
      assert.strictEqual((yield* owner.ask("GET", good)).status, 404)
      const files = readdirSync(objectsFolder, { recursive: true }).map(String)
      assert.isEmpty(files.filter((file) => file.includes("kns_")))
    })
  )

  it.live("keeps out what the content filter flags, and waits for a filter that is down", () =>
    Effect.gen(function* () {
      const { add, sync, state, search } = yield* knowledgeDesk
      filter.down = true
      const source = yield* add(answers(["A", "A forbidden lamp."], ["B", "A fine lamp."]))
      yield* sync()
      assert.match((yield* state(source)).problem, /content filter does not answer. It is tried again/)
      filter.down = false
      assert.strictEqual(yield* sync(), 0)
      assert.strictEqual(yield* sync({}, 60_000), 1)
      assert.deepInclude(yield* state(source), { state: "ready", passages: 1 })
      assert.deepStrictEqual((yield* state(source)).skipped, [
        { what: "A", why: "The content filter flagged a passage for violence." }
      ])
      assert.notInclude(JSON.stringify(yield* search("lamp")), "forbidden")
    })
  )

  it.live("collects the questions that agents could not answer, until their conversation is gone", () =>
    Effect.gen(function* () {
      const { add, sync, owner, base, baseId, organizationId, provide } = yield* knowledgeDesk
      yield* add(answers(["Do you deliver?", "Yes, in two days, for 4 dollars."]))
      yield* sync()
      const tool = yield* provide(makeKnowledgeTool)
      const { conversationId } = yield* provide(newConversation(organizationId))
      const context = {
        organizationId,
        agentId: "agt_1",
        knowledgeBases: [baseId, "kb_of_nobody"],
        contactId: null,
        conversationId,
        callId: null,
        idempotencyKey: "1"
      }
      const found = yield* tool.run(context, { query: "Do you deliver?" })
      assert.include(found.result, "4 dollars")
      assert.strictEqual(found.sources?.[0].knowledgeBaseId, baseId)
      const nothing = yield* tool.run(context, { query: "Do you repair bicycles?" })
      assert.match(nothing.result, /you do not know it/)
      const { body } = yield* owner.ask("GET", `${base}/unanswered`)
      assert.strictEqual(body.total, 1)
      assert.deepInclude(body.data[0], { question: "Do you repair bicycles?", agentId: "agt_1", conversationId })
      // A conversation that was erased while the agent was thinking.
      yield* tool.run({ ...context, conversationId: "cnv_gone" }, { query: "Anything about yaks?" })
      assert.strictEqual((yield* owner.ask("GET", `${base}/unanswered`)).body.total, 1)
      const bases = yield* provide(KnowledgeBases)
      assert.deepStrictEqual(yield* bases.known(organizationId, [baseId, "kb_of_nobody"]), [baseId])
    })
  )

  it.live("gives an engine what it says about a caller's words, and an answer in a call keeps its sources", () =>
    Effect.gen(function* () {
      const { add, sync, baseId, organizationId, direct, provide, owner } = yield* knowledgeDesk
      yield* add(answers(["Do you deliver?", "Yes, in two days, for 4 dollars."]))
      yield* sync()
      const callbacks = yield* AppCallbacks.pipe(Effect.provide(HttpAppCallbacks.layer({ baseUrl: direct, secret })))
      const ask = (text: string) => callbacks.lookUp({ organizationId, knowledgeBases: [baseId], text })
      const { text, sources } = yield* ask("Um, do you deliver to Boston?")
      assert.include(text, "4 dollars")
      assert.deepInclude(sources[0], { knowledgeBaseId: baseId, title: "Questions", url: null })
      assert.deepStrictEqual(yield* ask("Is it raining?"), { text: "", sources: [] })

      const place = yield* provide(desk())
      const call = yield* provide(answered(place))
      yield* callbacks.deliver({ ...said(place, call.id, 1, "In two days."), sources } as CallEvent)
      yield* callbacks.deliver(said(place, call.id, 2, "Thanks."))
      const lines = yield* provide(Effect.flatMap(Calls, (calls) => calls.utterances(place.organizationId, call.id)))
      assert.deepStrictEqual(
        lines.map((line) => line.sources),
        [sources, undefined]
      )

      const agent = (knowledgeBases: ReadonlyArray<string>) =>
        owner.ask("POST", "/api/voice-agents", {
          body: {
            name: `Front desk ${knowledgeBases.length}`,
            welcomeMessage: "Hello",
            voiceFamily: "english",
            voiceId: "aura-2-thalia-en",
            systemPrompt: "You answer calls.",
            knowledgeBases
          }
        })
      const made = yield* agent([baseId])
      assert.deepStrictEqual([made.status, made.body.knowledgeBases], [201, [baseId]])
      const refused = yield* agent([baseId, "kb_of_nobody"])
      assert.strictEqual(refused.status, 400)
      assert.match(refused.body.error, /"kb_of_nobody", which is no knowledge base/)
    })
  )

  it.live("belongs to one organization, and its changes need the scope knowledge:write", () =>
    Effect.gen(function* () {
      const { add, sync, as, otherOrganization, base, baseId, provide, keyOf, withKey, owner, audited } =
        yield* knowledgeDesk
      const source = yield* add(answers(["Do you deliver?", "Yes."]))
      yield* sync()
      const stranger = yield* as("OWNER", yield* otherOrganization)
      for (const [method, path, body] of [
        ["GET", base],
        ["PUT", base, { name: "Mine" }],
        ["POST", `${base}/search`, { query: "deliver" }],
        ["GET", source],
        ["POST", `${source}/sync`],
        ["DELETE", source],
        ["DELETE", base]
      ] as const)
        assert.strictEqual((yield* stranger.ask(method, path, { body })).status, 404, `${method} ${path}`)
      const tool = yield* provide(makeKnowledgeTool)
      const context = {
        organizationId: stranger.organizationId,
        agentId: "agt_1",
        contactId: null,
        conversationId: null
      }
      const answer = yield* tool.run(
        { ...context, knowledgeBases: [baseId], callId: null, idempotencyKey: "1" },
        { query: "Do you deliver?" }
      )
      assert.notInclude(answer.result, "Yes.")
      const agent = yield* as("AGENT")
      assert.strictEqual((yield* agent.ask("GET", source)).status, 200)
      assert.strictEqual((yield* agent.ask("POST", root, { body: { name: "x" } })).status, 403)
      const { secret } = yield* keyOf(["knowledge:read"])
      assert.strictEqual((yield* withKey(secret)("DELETE", base)).status, 403)
      assert.strictEqual((yield* owner.ask("DELETE", base)).status, 200)
      assert.includeMembers(
        (yield* audited()).map(({ action }) => action),
        ["knowledge_base.created", "knowledge_source.created", "knowledge_base.deleted"]
      )
    })
  )

  it.live("reads the pages of a site as far as its robots.txt allows, and says what it left out", () =>
    Effect.gen(function* () {
      const { add, sync, state, first, search } = yield* knowledgeDesk
      const pages: Record<string, string | number | URL> = {
        "/robots.txt": "User-agent: *\nDisallow: /private",
        "/hours": "<title>Hours</title><main><h1>Opening</h1><p>From nine to six.</p></main>",
        "/private/plan": "<p>secret plan</p>",
        "/broken": 500,
        "/blank": "<nav>menu</nav>"
      }
      const { url } = yield* site(pages)
      pages["/moved"] = new URL(`${url}/private/plan`)
      pages["/sitemap.xml"] = `<?xml version="1.0"?><urlset>${["/hours", "/private/plan", "/broken", "/blank", "/moved"]
        .map((path) => `<url><loc>${url}${path}</loc></url>`)
        .join("")}</urlset>`
      const source = yield* add({ title: "Site", pages: { sitemap: `${url}/sitemap.xml` }, syncEveryHours: 24 })
      yield* sync(local)
      const { state: status, skipped, passages } = yield* state(source)
      assert.deepStrictEqual([status, passages], ["ready", 1])
      assert.sameDeepMembers(skipped, [
        { what: `${url}/private/plan`, why: "robots.txt does not allow it." },
        { what: `${url}/moved`, why: "robots.txt does not allow it." },
        { what: `${url}/broken`, why: "The server answered 500." },
        { what: `${url}/blank`, why: "The page holds no text." }
      ])
      assert.deepInclude((yield* search("when do you open")).passages[0], {
        title: "Hours",
        headings: ["Opening"],
        url: `${url}/hours`
      })

      // A day later it is read again; while the site is down, the old version stays.
      pages["/sitemap.xml"] = 503
      assert.strictEqual(yield* sync(local), 0)
      assert.strictEqual(yield* sync(local, 86_400_000), 1)
      assert.match((yield* state(source)).problem, /sitemap cannot be read. The server answered 503. It is tried again/)
      assert.match(yield* first("when do you open"), /nine to six/)
    })
  )

  it.live("does not fetch from private addresses, whatever redirects there", () =>
    Effect.gen(function* () {
      const { add, sync, state } = yield* knowledgeDesk
      const { url } = yield* site({ "/secret": "<p>secret</p>" })
      const source = yield* add({ title: "Inside", pages: { urls: [`${url}/secret`] } })
      yield* sync()
      const { state: status, problem, passages } = yield* state(source)
      assert.deepStrictEqual([status, passages], ["failed", 0])
      assert.match(problem, /not on the public internet/)
    })
  )
})
