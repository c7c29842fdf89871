/** The files of an app for an automation tool: generated ones, and templates that are copied as they are. */
import { readFileSync } from "node:fs"
import { join } from "node:path"

export interface AppFile {
  /** Below the folder of the app, with `/`. */
  readonly path: string
  readonly text: string
}

export interface AppFileOptions {
  /** The address of the service, which forms begin with; whoever connects can change it. `undefined`: they begin empty. */
  readonly baseUrl: string | undefined
}

const templates = join(import.meta.dirname, "templates")

/** A template `<app>/<path>.txt`, with `{{name}}` replaced by the values. */
export const template = (app: string, path: string, values: Readonly<Record<string, string>> = {}): AppFile => {
  const text = readFileSync(join(templates, app, `${path}.txt`), "utf8")
  const filled = Object.entries(values).reduce((so, [name, value]) => so.replaceAll(`{{${name}}}`, value), text)
  return { path, text: filled }
}

export const jsonFile = (path: string, value: unknown): AppFile => ({
  path,
  text: `${JSON.stringify(value, null, 2)}\n`
})

/** `messages.send.text` as a name in code: `messages_send_text`. */
export const keyOf = (name: string): string => name.replace(/[^A-Za-z0-9]+/g, "_")

/** `messages.send.text` as a name in code: `messagesSendText`. */
export const camel = (name: string): string =>
  name.replace(/[^A-Za-z0-9]+([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase())
