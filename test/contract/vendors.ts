/**
 * The vendors' own descriptions of their interfaces. They lie beside the project where it is developed and are no part of it; what is judged
 * by them is skipped where they are not.
 */
import { existsSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import { parse } from "yaml"

const folder = resolve(import.meta.dirname, "../../../shared/specs")

/** Whether the descriptions exist on this machine. */
export const described = existsSync(folder)

/** A description by its path there, JSON or YAML; `undefined` where the descriptions are not. */
export const description = <A>(path: string): A | undefined => {
  if (!described) return undefined
  const text = readFileSync(resolve(folder, path), "utf8")
  return path.endsWith(".json") ? JSON.parse(text) : parse(text)
}
