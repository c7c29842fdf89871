/**
 * The built-in tool `search_knowledge`, and what a model is told of passages. A question without an answer is kept for the organization, and the model
 * is told to say that it does not know.
 */
import { Effect } from "effect"
import type { BuiltinTool } from "../tools/BuiltinTools.ts"
import type { ToolDefinition, ToolSpec } from "../tools/Tool.ts"
import { makeFindPassages } from "./FindPassages.ts"
import { KnowledgeBases } from "./KnowledgeBase.ts"
import { type Passage, SearchKnowledge } from "./SearchKnowledge.ts"

/** A passage with a lower score does not answer the question. Chosen from the bench of knowledge (docs/quality.md). */
export const leastScore = 0.3

const mostPassages = 5
/**
 * Milliseconds that the tool waits for passages that are found by their meaning. A caller hears the silence. What an agent is told before it asks is
 * found by its words alone.
 */
const patienceMs = { voice: 300, text: 1_500 }
/** A tool's answer is at most 16 KB. Passages have up to 1,600 bytes. */
const mostBytes = 12_000

/** What a model is told when no passage answers. */
export const noAnswer =
  "The knowledge base says nothing about this. Say that you do not know it, do not guess, and offer to connect the person with a colleague."

/** A passage as the model reads it. */
const shown = ({ title, headings, text }: Passage, number: number): string =>
  `[${number + 1}] ${[title, ...headings].join(" > ")}\n${text}`

/** The passages that may answer, as many as a model is told. */
export const answering = (passages: ReadonlyArray<Passage>): ReadonlyArray<Passage> =>
  passages.filter(({ score }) => score >= leastScore)

/** The text of passages for a model. */
export const passagesText = (passages: ReadonlyArray<Passage>): string => {
  const texts: Array<string> = []
  let bytes = 0
  for (const [number, passage] of passages.entries()) {
    const text = shown(passage, number)
    bytes += Buffer.byteLength(text)
    if (bytes > mostBytes) break
    texts.push(text)
  }
  return texts.join("\n\n")
}

/** The tool as models see it. */
export const searchKnowledge: ToolSpec = {
  name: "search_knowledge",
  description:
    "Looks up facts in the organization's knowledge base. Use it before you answer a question about the organization, its products, prices, rules or " +
    "people, unless the conversation already has the answer.",
  parameters: {
    type: "object",
    properties: { query: { type: "string", description: "The question, in the person's own words and language" } },
    required: ["query"]
  }
}

/** The most knowledge bases of an agent. */
export const mostKnowledgeBases = 10

/** The tool, as an agent with knowledge bases has it without defining it. */
export const ownKnowledgeTool: ToolDefinition = {
  ...searchKnowledge,
  handler: { type: "builtin", name: searchKnowledge.name }
}

/** Needs SearchKnowledge and KnowledgeBases. */
export const makeKnowledgeTool = Effect.gen(function* () {
  const find = yield* makeFindPassages
  const bases = yield* KnowledgeBases
  const tool: BuiltinTool = {
    spec: searchKnowledge,
    agents: ["voice", "text"],
    run: Effect.fnUntraced(function* ({ organizationId, agentId, knowledgeBases, conversationId, callId }, input) {
      const query = String(input.query)
      if (knowledgeBases.length === 0) return { outcome: "error", result: "This agent has no knowledge base." }
      const waitMs = callId === null ? patienceMs.text : patienceMs.voice
      const found = answering(yield* find(organizationId, knowledgeBases, query, mostPassages, waitMs))
      if (found.length > 0) return { outcome: "ok", result: passagesText(found), sources: found.map(sourceOf) }
      yield* bases.noteUnanswered(organizationId, knowledgeBases, {
        question: query.slice(0, 500),
        agentId,
        conversationId
      })
      return { outcome: "ok", result: noAnswer }
    })
  }
  return tool
})

/** Where an answer is from, for people. */
export const sourceOf = ({ baseId, sourceId, title, url }: Passage) => ({
  knowledgeBaseId: baseId,
  sourceId,
  title,
  url
})

/** The most passages that a model gets before it has asked for any. */
const mostUnasked = 3

/** Needs SearchKnowledge. The function it returns gives what a model reads of the passages about a text, and where they are from. */
export const makeLookUp = Effect.map(SearchKnowledge, ({ search }) =>
  Effect.fnUntraced(function* (organizationId: string, knowledgeBases: ReadonlyArray<string>, text: string) {
    const found = answering(yield* search(organizationId, knowledgeBases, text, mostUnasked))
    return { text: passagesText(found), sources: found.map(sourceOf) }
  })
)
