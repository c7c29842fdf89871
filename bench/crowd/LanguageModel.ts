/** The language model of a crowd: it answers every question with its own answer, token by token. */
import type { HttpRequest, HttpResponse, TemplatedApp } from "uWebSockets.js"
import type { Outages } from "./Outages.ts"
import { whenRead } from "./RequestBody.ts"
import type { Stamps } from "./Stamps.ts"
import type { Tally } from "./Tally.ts"
import { toolEvery, toolName } from "./Tools.ts"
import { answerClause, readQuestion, type Subject } from "./Words.ts"

/** From the request to the first token, and from there to each of the next two batches of tokens; from token to token where each comes alone. */
export const modelMs = { firstToken: 100, batch: 10, token: 4 }

/** How the tokens of an answer come: all that end a clause at once, which costs a crowd's generator little, or each in a piece of its own. */
export type Pieces = "clauses" | "tokens"

interface Chat {
  readonly model: string
  readonly messages: ReadonlyArray<{ readonly role: string; readonly content: string | null }>
  readonly tools?: ReadonlyArray<{ readonly function: { readonly name: string } }>
}

/** Whether the tool is to be asked before the answer to this question: there is one, and its answer is not there. */
const wantsTool = ({ messages, tools = [] }: Chat, { turn }: Subject): boolean => {
  if (turn % toolEvery !== 0 || !tools.some(({ function: { name } }) => name === toolName)) return false
  const asked = messages.findLastIndex(({ role }) => role === "user")
  return !messages.slice(asked).some(({ role }) => role === "tool")
}

const head = (model: string) =>
  `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":${JSON.stringify(model)},"choices":[{"index":0,"delta":`

export const addLanguageModel = (
  app: TemplatedApp,
  tally: Tally,
  stamps: Stamps,
  outages: Outages,
  pieces: Pieces
): void => {
  let toolCalls = 0
  const stream = (res: HttpResponse, chat: Chat, gone: () => boolean) => {
    const asked = readQuestion(chat.messages.findLast(({ role }) => role === "user")?.content ?? "")
    if (asked === undefined) {
      tally.errors.unanswered++
      tally.note(`the model was asked: ${chat.messages.at(-1)?.content}`)
    } else stamps.of(asked.caller).modelAsked = performance.now()
    const clauses =
      asked === undefined ? ["I did not understand."] : [1, 2].map((clause) => answerClause(asked, clause))
    const tokens = clauses.join(" ").split(/(?= )/)
    const start = head(chat.model)
    if (asked !== undefined && wantsTool(chat, asked)) {
      // As real models do: another id each time.
      const call = { name: toolName, arguments: JSON.stringify({ of: `${asked.caller} ${asked.turn}` }) }
      const delta = {
        role: "assistant",
        tool_calls: [{ index: 0, id: `call_${++toolCalls}`, type: "function", function: call }]
      }
      const text = `${start}${JSON.stringify(delta)},"finish_reason":"tool_calls"}]}\n\ndata: [DONE]\n\n`
      setTimeout(() => {
        if (gone() || outages.cut("model", res)) return
        res.cork(() => void res.writeHeader("content-type", "text/event-stream; charset=utf-8").end(text))
      }, modelMs.firstToken)
      return
    }
    const event = (delta: string, finish = "null") => `${start}${delta},"finish_reason":${finish}}]}\n\n`
    const words = (from: number, to: number) =>
      tokens
        .slice(from, to)
        .map((token) => event(`{"content":${JSON.stringify(token)}}`))
        .join("")
    // The first clause is known to be over when the next one has begun.
    const firstClause = clauses[0].split(" ").length + 1
    const write = (text: string, end = false) => {
      if (gone() || outages.cut("model", res)) return
      res.cork(() => {
        if (end) res.end(text)
        else res.write(text)
      })
    }
    res.cork(() => {
      res.writeHeader("content-type", "text/event-stream; charset=utf-8")
      res.write(": ok\n\n")
    })
    const opening = event('{"role":"assistant","content":""}')
    const usage = `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":10,"completion_tokens":10,"total_tokens":20}}\n\n`
    const ending = `${event("{}", '"stop"')}${usage}data: [DONE]\n\n`
    /** Writes the tokens up to each of `ends`, one after the other. */
    const writeUpTo = ([to, ...rest]: ReadonlyArray<number>, everyMs: number, from = 0) => {
      if (asked !== undefined && from < firstClause && to >= firstClause)
        stamps.of(asked.caller).clauseSent = performance.now()
      const said = `${from === 0 ? opening : ""}${words(from, to)}`
      write(rest.length === 0 ? `${said}${ending}` : said, rest.length === 0)
      if (rest.length > 0) setTimeout(() => writeUpTo(rest, everyMs, to), everyMs)
    }
    const each = tokens.map((_, index) => index + 1)
    setTimeout(() => {
      if (pieces === "tokens") writeUpTo(each, modelMs.token)
      else writeUpTo([2, firstClause, tokens.length], modelMs.batch)
    }, modelMs.firstToken)
  }
  app.post("/v1/chat/completions", (res: HttpResponse, _req: HttpRequest) =>
    whenRead(res, (body, gone) => {
      if (!outages.cut("model", res)) stream(res, JSON.parse(body) as Chat, gone)
    })
  )
}
