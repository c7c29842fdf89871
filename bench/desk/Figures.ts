/** Options of the benches over a full desk: `--name number` and `--json`. */
import { parseArgs } from "node:util"
import { OptionsInvalid } from "../support/Options.ts"

/** Numbers by the names of `defaults`, at least 1 each. Throws OptionsInvalid for anything else. */
export const parseFigures = <Name extends string>(
  args: ReadonlyArray<string>,
  defaults: Readonly<Record<Name, number>>
): Readonly<Record<Name, number>> & { readonly json: boolean } => {
  const names = Object.keys(defaults).filter((name): name is Name => name in defaults)
  const read = () => {
    try {
      const options = Object.fromEntries(names.map((name) => [name, { type: "string" as const }]))
      return parseArgs({ args: [...args], strict: true, options: { ...options, json: { type: "boolean" } } }).values
    } catch (cause) {
      throw new OptionsInvalid(cause instanceof Error ? cause.message : String(cause))
    }
  }
  const given: Readonly<Record<string, string | boolean | undefined>> = read()
  const figure = (name: Name): number => {
    const text = given[name]
    const value = text === undefined ? defaults[name] : Number(text)
    if (!Number.isFinite(value) || value < 1)
      throw new OptionsInvalid(`--${name} must be a number of at least 1, not "${text}"`)
    return value
  }
  const figures = Object.fromEntries(names.map((name) => [name, figure(name)])) as Record<Name, number>
  return { ...figures, json: given.json === true }
}
