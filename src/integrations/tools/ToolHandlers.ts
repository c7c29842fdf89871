/** Runs the handlers of tools, each kind in its own way. */
import { Effect, Layer } from "effect"
import { BuiltinTools, runBuiltin } from "../../domain/ai/tools/BuiltinTools.ts"
import { makeRunMcpTool } from "../../domain/ai/tools/RunMcpTool.ts"
import { ToolRunner } from "../../domain/ai/tools/ToolRunner.ts"
import { type HttpToolsOptions, runHttpTool } from "./HttpTools.ts"

/** Needs the built-in tools, McpServers and McpClient. */
export const layer = (options: HttpToolsOptions = {}) =>
  Layer.effect(
    ToolRunner,
    Effect.gen(function* () {
      const builtin = yield* BuiltinTools
      const runMcp = yield* makeRunMcpTool
      return ToolRunner.of({
        run: (handler, input, context) => {
          switch (handler.type) {
            case "http":
              return runHttpTool(options, handler, input, context.idempotencyKey)
            case "builtin":
              return runBuiltin(builtin, handler.name, input, context)
            case "mcp":
              return runMcp(context.organizationId, handler, input)
          }
        }
      })
    })
  )
