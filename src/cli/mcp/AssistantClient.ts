/** An assistant's side of MCP: the SDK's client, over Streamable HTTP. The demo shows with it what assistants of others do. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { Effect, Schema } from "effect"

/** The server does not answer, or refuses. */
export class AssistantFailed extends Schema.TaggedError<AssistantFailed>()("AssistantFailed", {
  message: Schema.String
}) {}

export interface OfferedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: Readonly<Record<string, unknown>>
}

const Text = Schema.Struct({ type: Schema.Literal("text"), text: Schema.String })
const isText = Schema.is(Text)

/** A client of the server at `url`, connected until the scope ends. */
export const connectAssistant = Effect.fnUntraced(function* (url: string, key: string) {
  const attempt = <A>(work: () => Promise<A>) =>
    Effect.tryPromise({ try: work, catch: (cause) => new AssistantFailed({ message: String(cause) }) })
  const client = yield* Effect.acquireRelease(
    attempt(async () => {
      const made = new Client({ name: "demo-assistant", version: "1" }, { versionNegotiation: { mode: "auto" } })
      const requestInit = { headers: { authorization: `Bearer ${key}` } }
      await made.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
      return made
    }),
    (made) => Effect.promise(() => made.close())
  )
  return {
    tools: Effect.map(
      attempt(() => client.listTools()),
      ({ tools }): ReadonlyArray<OfferedTool> =>
        tools.map(({ name, description = "", inputSchema }) => ({ name, description, inputSchema }))
    ),
    /** What a model reads of the answer, also of one that is an error of the tool. */
    call: (name: string, args: Record<string, unknown>) =>
      Effect.map(
        attempt(() => client.callTool({ name, arguments: args })),
        ({ content }) => content.flatMap((part) => (isText(part) ? [part.text] : [])).join("\n")
      )
  }
})
