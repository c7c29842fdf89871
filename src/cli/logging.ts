/** Where the commands log to. Those of `parley admin` have their own: their answer is for scripts to read. */
import { Logger } from "effect"
import type { Settings } from "../Config.ts"

/** JSON for machines in production, one readable line for people elsewhere. */
export const logging = (settings: Settings) =>
  Logger.layer([settings.environment === "production" ? Logger.consoleJson : Logger.consolePretty()])
