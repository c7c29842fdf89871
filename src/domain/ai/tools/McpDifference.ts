/** Says in sentences what a server changed of a tool since a person approved it. Pure. */
import { Predicate } from "effect"
import { canonicalJson } from "../../basics/Json.ts"
import { cutToBytes } from "../../basics/PlainText.ts"
import type { McpTool } from "./McpTool.ts"

const mostBytes = 2_048

const shown = (value: unknown): string => {
  const text = typeof value === "string" ? JSON.stringify(value) : canonicalJson(value)
  const cut = cutToBytes(text, mostBytes)
  return cut === text ? text : `${cut} …`
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> => (Predicate.isObject(value) ? value : {})
const namesOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** One sentence for each name whose value was added, removed or changed. */
const changes = (what: string, before: unknown, after: unknown): ReadonlyArray<string> => {
  const [old, now] = [fieldsOf(before), fieldsOf(after)]
  return [...new Set([...Object.keys(old), ...Object.keys(now)])].toSorted().flatMap((name) => {
    if (!Object.hasOwn(old, name)) return [`The ${what} "${name}" is new: ${shown(now[name])}.`]
    if (!Object.hasOwn(now, name)) return [`The ${what} "${name}" is gone. It was ${shown(old[name])}.`]
    return canonicalJson(old[name]) === canonicalJson(now[name])
      ? []
      : [`The ${what} "${name}" was ${shown(old[name])} and is now ${shown(now[name])}.`]
  })
}

/** The sentences about what differs. None when the tools are equal. */
export const mcpDifference = (approved: McpTool, offered: McpTool): ReadonlyArray<string> => {
  const { properties: oldProperties, required: oldRequired, ...oldRest } = approved.inputSchema
  const { properties, required, ...rest } = offered.inputSchema
  const [was, is] = [namesOf(oldRequired), namesOf(required)]
  const text = (what: string, before: string | null, after: string | null) =>
    before === after ? [] : [`The ${what} was ${shown(before ?? "")} and is now ${shown(after ?? "")}.`]
  return [
    ...text("title", approved.title, offered.title),
    ...text("description", approved.description, offered.description),
    ...changes("parameter", oldProperties, properties),
    ...is.filter((name) => !was.includes(name)).map((name) => `The parameter ${shown(name)} is now required.`),
    ...was.filter((name) => !is.includes(name)).map((name) => `The parameter ${shown(name)} is no longer required.`),
    ...changes("keyword", oldRest, rest)
  ]
}

/** Whether a new tool is most likely an approved one under another name: all but the name is the same. */
export const isRenamed = (approved: McpTool, offered: McpTool): boolean =>
  approved.name !== offered.name && mcpDifference(approved, offered).length === 0
