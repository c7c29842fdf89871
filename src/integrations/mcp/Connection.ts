/** One connection with an MCP server: Streamable HTTP (with a session, or of the stateless revision), otherwise the older event stream. */
import {
  type AuthProvider,
  type CallToolResult,
  Client,
  type JsonSchemaValidatorResult,
  SSEClientTransport,
  StreamableHTTPClientTransport
} from "@modelcontextprotocol/client"
import { cleanTool, type McpTool, mcpToolLimits } from "../../domain/ai/tools/McpTool.ts"
import type { Arguments } from "../../domain/ai/tools/ToolArguments.ts"
import { makeGuardedFetch } from "../web/GuardedFetch.ts"
import { failureOf, McpFailure } from "./Failures.ts"

export interface McpConnectionOptions {
  readonly url: string
  readonly allowPrivateNetwork: boolean
  /** What the requests are authorized with; `undefined`: nothing. */
  readonly credentials: AuthProvider | undefined
  /** The server says that its list of tools has changed. */
  readonly onChanged: () => void
}

export interface Connection {
  readonly transport: "streamable_http" | "sse"
  /** Whether it can still be used. */
  readonly isOpen: () => boolean
  readonly list: (signal: AbortSignal) => Promise<ReadonlyArray<McpTool>>
  readonly call: (name: string, input: Arguments, timeoutMs: number, signal: AbortSignal) => Promise<CallToolResult>
  readonly close: () => Promise<void>
}

/** The limits of one answer. The longest time is longer than that of any request: it ends streams that outlive theirs. */
const answerLimits = { maxBytes: 2 * 1_024 * 1_024, maxMs: 30_000 }
const handshakeMs = 5_000
const farewellMs = 1_000
const mostPages = 16

/** The results of tools are text for a model, so their structure is not checked: a server's own schema would be compiled to code. */
const unchecked = {
  getValidator:
    <T>() =>
    (input: unknown): JsonSchemaValidatorResult<T> => ({ valid: true, data: input as T, errorMessage: undefined })
}

const newClient = (onChanged: () => void) =>
  new Client(
    { name: "parley", version: "1.0.0" },
    {
      versionNegotiation: { mode: "auto", probe: { timeoutMs: handshakeMs } },
      jsonSchemaValidator: unchecked,
      listMaxPages: mostPages,
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged } }
    }
  )

/** Connects; the signal ends the attempt. Rejects with McpFailure. */
export const connectMcp = async (options: McpConnectionOptions, signal: AbortSignal): Promise<Connection> => {
  const { url, allowPrivateNetwork, credentials, onChanged } = options
  const guarded = makeGuardedFetch({ allowPrivateNetwork, ...answerLimits })
  const settings = {
    fetch: guarded.fetch,
    ...(credentials === undefined ? {} : { authProvider: credentials })
  }
  let open = true

  const begin = async (kind: Connection["transport"]) => {
    const client = newClient(onChanged)
    const address = new URL(url)
    const transport =
      kind === "sse"
        ? new SSEClientTransport(address, settings)
        : new StreamableHTTPClientTransport(address, {
            ...settings,
            onInsufficientScope: "throw",
            reconnectionOptions: {
              initialReconnectionDelay: 1_000,
              maxReconnectionDelay: 30_000,
              reconnectionDelayGrowFactor: 2,
              maxRetries: 5
            }
          })
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(new McpFailure({ kind: "slow", message: "It took too long." })))
    })
    try {
      await Promise.race([client.connect(transport, { timeout: handshakeMs, signal }), aborted])
    } catch (cause) {
      await client.close().catch(() => undefined)
      throw failureOf(cause)
    }
    client.onclose = () => {
      open = false
    }
    // The library would connect a lost event stream again, but with a session that the server does not know.
    if (kind === "sse")
      client.onerror = () => {
        open = false
      }
    return {
      client,
      end: transport instanceof StreamableHTTPClientTransport ? () => transport.terminateSession() : undefined
    }
  }

  const either = async () => {
    try {
      return { ...(await begin("streamable_http")), transport: "streamable_http" as const }
    } catch (cause) {
      const { kind } = failureOf(cause)
      if (signal.aborted || (kind !== "gone" && kind !== "other_transport")) throw cause
      return { ...(await begin("sse").catch(() => Promise.reject(cause))), transport: "sse" as const }
    }
  }

  try {
    const { client, transport, end } = await either()
    /** The input schemas as the server sent them: the newest revision copies some arguments into headers by them. */
    const schemas = new Map<string, { type: "object" }>()
    return {
      transport,
      isOpen: () => open,
      list: async (signal) => {
        const { tools } = await client.listTools(undefined, { timeout: handshakeMs, signal, cacheMode: "bypass" })
        const kept = tools.slice(0, mcpToolLimits.tools)
        schemas.clear()
        for (const { name, inputSchema } of kept) schemas.set(name, inputSchema)
        const unique = new Map(kept.map((tool) => [tool.name, cleanTool(tool)]))
        return [...unique.values()]
      },
      call: (name, input, timeout, signal) => {
        const inputSchema = schemas.get(name)
        return client.callTool(
          { name, arguments: input },
          {
            timeout,
            maxTotalTimeout: timeout,
            signal,
            ...(inputSchema === undefined ? {} : { toolDefinition: { name, inputSchema } })
          }
        )
      },
      close: async () => {
        open = false
        // The server may free what it keeps for us. Nobody waits long for its answer.
        const ended = end?.().catch(() => undefined)
        await Promise.race([ended, new Promise((done) => setTimeout(done, farewellMs).unref())])
        await client.close().catch(() => undefined)
        await guarded.close()
      }
    }
  } catch (cause) {
    await guarded.close()
    throw failureOf(cause)
  }
}
