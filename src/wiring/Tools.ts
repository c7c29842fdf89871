/** The tools of agents: those that this service has itself, and what runs the others. */
import { Layer } from "effect"
import type { Settings } from "../config/Environment.ts"
import { BuiltinTools } from "../domain/ai/tools/BuiltinTools.ts"
import * as ToolHandlers from "../integrations/tools/ToolHandlers.ts"

/** The built-in tools. */
const builtin = BuiltinTools.layer([])

export const tools = (settings: Settings) =>
  ToolHandlers.layer({ allowPrivateNetwork: settings.allowPrivateTools }).pipe(Layer.provideMerge(builtin))
