/** `parley describe`: writes an app for an automation tool, made from the description that `GET /api/integrations/describe` gives. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Console, Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { OpenApi } from "effect/http-api"
import { type AutomationDescription, automationOf } from "../../http/docs/AutomationDocs.ts"
import type { AppFile, AppFileOptions } from "../../http/docs/apps/AppFile.ts"
import { type AutomationTool, automationTools, filesOfApp, isAppAddress } from "../../http/docs/apps/AutomationApps.ts"
import { CustomersApi } from "../../http/groups/Api.ts"

/** The folder of an app cannot be written, or no app was asked for. */
export class DescribeRefused extends Schema.TaggedError<DescribeRefused>()("DescribeRefused", {
  message: Schema.String
}) {}

/** What automation tools can do with this version of the service. */
export const description = (): AutomationDescription =>
  automationOf(JSON.parse(JSON.stringify(OpenApi.fromApi(CustomersApi))))

/** The files of an app. */
export const appFiles = (tool: AutomationTool, options: AppFileOptions): ReadonlyArray<AppFile> =>
  filesOfApp(tool, description(), options)

/** Writes the files into a folder, which is made if there is none. A folder with other files is refused: they might be somebody's work. */
export const writeApp = (folder: string, files: ReadonlyArray<AppFile>) =>
  Effect.try({
    try: () => {
      mkdirSync(folder, { recursive: true })
      const own = new Set(files.map(({ path }) => path.split("/")[0]))
      const kept = [".git", ".gitignore", ".zapierapprc", "node_modules", "package-lock.json", "dist", ".secrets"]
      const foreign = readdirSync(folder).filter((name) => !own.has(name) && !kept.includes(name))
      if (foreign.length > 0)
        throw new Error(
          `it has other files (${foreign.slice(0, 3).join(", ")}). Name an empty folder, or one that was written before.`
        )
      for (const { path, text } of files) {
        const file = join(folder, path)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, text)
      }
    },
    catch: (cause) =>
      new DescribeRefused({
        message: `${folder} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`
      })
  })

const folderOf = (tool: string) =>
  Flag.String(tool.toLowerCase()).pipe(
    Flag.withDescription(`The folder to write the app for ${tool} into`),
    Flag.optional
  )

export const describe = Command.make(
  "describe",
  {
    zapier: folderOf("Zapier"),
    n8n: folderOf("n8n"),
    make: folderOf("Make"),
    url: Flag.String("url").pipe(
      Flag.withDescription("The address of the service, e.g. https://app.example.com; forms begin with it"),
      Flag.optional
    )
  },
  Effect.fnUntraced(function* ({ url, ...folders }) {
    const baseUrl = Option.getOrUndefined(url)?.replace(/\/+$/, "")
    if (baseUrl !== undefined && !isAppAddress(baseUrl))
      return yield* new DescribeRefused({ message: "--url is invalid: it must be an https address." })
    const asked = automationTools.flatMap((name) =>
      Option.match(folders[name], { onNone: () => [], onSome: (folder) => [{ name, folder }] })
    )
    if (asked.length === 0)
      return yield* new DescribeRefused({
        message: "Say for which tool: --zapier, --n8n or --make, each with a folder."
      })
    for (const { name, folder } of asked) {
      const files = appFiles(name, { baseUrl })
      yield* writeApp(folder, files)
      yield* Console.log(
        `${files.length} files of the app for ${name} are in ${folder}. Its README.md says how to go on.`
      )
    }
  })
).pipe(Command.withDescription("Write an app for Zapier, n8n or Make, ready to be published there"))
