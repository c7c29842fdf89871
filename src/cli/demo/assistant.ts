/** The assistant of `parley demo --mcp`: a loop over a model, which works in Parley with the tools of its MCP server. The model is scripted. */
import { Effect, Option, Schema } from "effect"
import type { ChatRequest } from "../../../simulators/language-model/Messages.ts"
import type { Answer, Rule } from "../../../simulators/language-model/Script.ts"
import { simulatorKey } from "../../../simulators/World.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { connectAssistant } from "../mcp/AssistantClient.ts"
import { DemoFailed } from "./support/rest.ts"

/** What its user asks for, on that day. */
export const taskOf = (day: string) =>
  `Today is ${day}. Find a caller of today who is unhappy, read the call, and send that person a message.`

export const apology = "We are sorry that your order is late. A colleague of ours phones you within the hour."

const isComplaint = /^caller: .*\b(late|nobody|angry|complain)/im

/** The results of a tool since the conversation began, oldest first. */
const resultsOf = ({ messages }: ChatRequest, tool: string): ReadonlyArray<string> => {
  const ids = messages.flatMap((message) =>
    message.role === "assistant" ? (message.tool_calls ?? []).filter((call) => call.function.name === tool) : []
  )
  return ids.flatMap(({ id }) =>
    messages.flatMap((message) => (message.role === "tool" && message.tool_call_id === id ? [message.content] : []))
  )
}

const inWords = (text: string): Answer => ({ _tag: "Reply", text })
const toCall = (name: string, args: object): Answer => ({ _tag: "Call", name, arguments: JSON.stringify(args) })

/** Decides the next step from what the request says, as a model does. */
const nextStep = (request: ChatRequest): Answer => {
  const day = /\d{4}-\d{2}-\d{2}/.exec(String(request.messages.find(({ role }) => role === "user")?.content))?.[0]
  const [list] = resultsOf(request, "list_calls")
  if (list === undefined) return toCall("list_calls", { from: day, to: day, direction: "inbound" })
  const [sent] = resultsOf(request, "send_message")
  if (sent !== undefined) return inWords(`I have written to the caller: ${sent}`)
  const read = resultsOf(request, "get_call")
  const unhappy = read.find((call) => isComplaint.test(call))
  const to = /Contact (cnt_\w+)/.exec(unhappy ?? "")?.[1]
  if (to !== undefined) return toCall("send_message", { to, text: apology })
  const callId = [...new Set(list.match(/call_\w+/g))].at(read.length)
  return callId === undefined ? inWords("Nobody who called today was unhappy.") : toCall("get_call", { callId })
}

export const assistantRule: Rule = { when: /a caller of today who is unhappy/, decide: nextStep }

const Completion = Schema.Struct({
  choices: Schema.NonEmptyArray(
    Schema.Struct({
      message: Schema.Struct({
        role: Schema.Literal("assistant"),
        content: Schema.NullOr(Schema.String),
        tool_calls: Schema.optionalKey(
          Schema.Array(
            Schema.Struct({
              id: Schema.String,
              type: Schema.Literal("function"),
              function: Schema.Struct({ name: Schema.String, arguments: Schema.String })
            })
          )
        )
      })
    })
  )
})
const readCompletion = Schema.decodeUnknownEffect(Schema.fromJsonString(Completion))
const readArguments = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

/** More steps than a task needs: a model that goes in circles is stopped. */
const mostSteps = 10

export interface Work {
  /** The base URL of the model. */
  readonly model: string
  /** The address of the MCP server, and a key with the scope `mcp`. */
  readonly mcp: string
  readonly key: string
  readonly task: string
  /** Hears of each tool that is called, and of its result. */
  readonly shows: (name: string, args: string, result: string) => Effect.Effect<void>
}

/** Works until the model answers in words, and gives these. */
export const assist = traced("Demo.assist")(function* ({ model, mcp, key, task, shows }: Work) {
  const parley = yield* connectAssistant(mcp, key)
  const tools = (yield* parley.tools).map(({ name, description, inputSchema: parameters }) => ({
    type: "function",
    function: { name, description, parameters }
  }))
  const think = Effect.fnUntraced(function* (messages: ReadonlyArray<object>) {
    const text = yield* Effect.tryPromise({
      try: async () => {
        const answer = await fetch(`${model}/chat/completions`, {
          method: "POST",
          headers: { authorization: `Bearer ${simulatorKey}`, "content-type": "application/json" },
          body: JSON.stringify({ model: "simulated", messages, tools })
        })
        return answer.text()
      },
      catch: (cause) => new DemoFailed({ message: `The model does not answer: ${cause}` })
    })
    return (yield* Effect.mapError(
      readCompletion(text),
      () => new DemoFailed({ message: `The model answered: ${text.slice(0, 300)}` })
    )).choices[0].message
  })
  const messages: Array<object> = [{ role: "user", content: task }]
  for (let step = 0; step < mostSteps; step++) {
    const said = yield* think(messages)
    messages.push(said)
    if (said.tool_calls === undefined) return said.content ?? ""
    for (const { id, function: called } of said.tool_calls) {
      const args = Option.getOrElse(readArguments(called.arguments), () => ({}))
      const result = yield* parley.call(called.name, args)
      yield* shows(called.name, called.arguments, result)
      messages.push({ role: "tool", tool_call_id: id, content: result })
    }
  }
  return yield* new DemoFailed({ message: `The assistant did not come to an end in ${mostSteps} steps.` })
})
