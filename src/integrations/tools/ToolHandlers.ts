/** Runs the handlers of tools, each kind in its own way. */
import { Effect, Layer } from "effect"
import { BuiltinTools, runBuiltin } from "../../domain/ai/tools/BuiltinTools.ts"
import { ToolRunner, toolFailed } from "../../domain/ai/tools/ToolRunner.ts"
import { type HttpToolsOptions, runHttpTool } from "./HttpTools.ts"

/** Needs the built-in tools. Handlers of MCP servers cannot be run yet: they give an error result. */
export const layer = (options: HttpToolsOptions = {}): Layer.Layer<ToolRunner, never, BuiltinTools> =>
  Layer.effect(
    ToolRunner,
    Effect.map(BuiltinTools, (builtin) => ({
      run: (handler, input, context) => {
        switch (handler.type) {
          case "http":
            return runHttpTool(options, handler, input, context.idempotencyKey)
          case "builtin":
            return runBuiltin(builtin, handler.name, input, context)
          case "mcp":
            return Effect.succeed(toolFailed("Tools of MCP servers cannot be run yet."))
        }
      }
    }))
  )
