/** The apps for automation tools, made from the description that `GET /api/integrations/describe` gives. */
import type { AutomationDescription } from "../AutomationDocs.ts"
import type { AppFile, AppFileOptions } from "./AppFile.ts"
import { makeApp } from "./MakeApp.ts"
import { n8nApp } from "./N8nApp.ts"
import { zapierApp } from "./ZapierApp.ts"

const apps = { zapier: zapierApp, n8n: n8nApp, make: makeApp }

/** The tools for which there is an app. */
export const automationTools = ["zapier", "n8n", "make"] as const
export type AutomationTool = (typeof automationTools)[number]

/** Whether an app can begin its forms with this address: nothing in it ends a text of code. */
export const isAppAddress = (url: string): boolean => /^https?:\/\/[^\s'"\\]{1,500}$/.test(url)

/** The files of the app for a tool. */
export const filesOfApp = (
  tool: AutomationTool,
  description: AutomationDescription,
  options: AppFileOptions
): ReadonlyArray<AppFile> => apps[tool](description, options)
