/** The language model of a crowd: it answers every question with its own answer, token by token. */
import type { HttpRequest, HttpResponse, TemplatedApp } from "uWebSockets.js"
import type { Outages } from "./Outages.ts"
import { whenRead } from "./RequestBody.ts"
import type { Stamps } from "./Stamps.ts"
import type { Tally } from "./Tally.ts"
import { answerClause, readQuestion } from "./Words.ts"

/** From the request to the first token, and from there to each of the next two batches of tokens. */
export const modelMs = { firstToken: 100, batch: 10 }

interface Chat {
  readonly model: string
  readonly messages: ReadonlyArray<{ readonly role: string; readonly content: string | null }>
}

const head = (model: string) =>
  `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":${JSON.stringify(model)},"choices":[{"index":0,"delta":`

export const addLanguageModel = (app: TemplatedApp, tally: Tally, stamps: Stamps, outages: Outages): void => {
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
    setTimeout(() => {
      write(event('{"role":"assistant","content":""}') + words(0, 2))
      setTimeout(() => {
        if (asked !== undefined) stamps.of(asked.caller).clauseSent = performance.now()
        write(words(2, firstClause))
        setTimeout(() => {
          const usage = `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":10,"completion_tokens":10,"total_tokens":20}}\n\n`
          write(`${words(firstClause, tokens.length)}${event("{}", '"stop"')}${usage}data: [DONE]\n\n`, true)
        }, modelMs.batch)
      }, modelMs.batch)
    }, modelMs.firstToken)
  }
  app.post("/v1/chat/completions", (res: HttpResponse, _req: HttpRequest) =>
    whenRead(res, (body, gone) => {
      if (!outages.cut("model", res)) stream(res, JSON.parse(body) as Chat, gone)
    })
  )
}
