/** The tools of agents: those that this service has itself, and what runs the others. */
import { Effect, Layer } from "effect"
import type { Settings } from "../config/Environment.ts"
import { BuiltinTools } from "../domain/ai/tools/BuiltinTools.ts"
import { makeCompanyTool } from "../domain/business/tools/CompanyTool.ts"
import { makeOrderTool } from "../domain/business/tools/OrderTool.ts"
import { makeProductTool } from "../domain/business/tools/ProductTool.ts"
import * as ToolHandlers from "../integrations/tools/ToolHandlers.ts"

/** The built-in tools. */
const builtin = Layer.effect(
  BuiltinTools,
  Effect.map(Effect.all([makeOrderTool, makeProductTool, makeCompanyTool]), (tools) => ({ tools }))
)

export const tools = (settings: Settings) =>
  ToolHandlers.layer({ allowPrivateNetwork: settings.allowPrivateTools }).pipe(Layer.provideMerge(builtin))
