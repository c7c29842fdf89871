/** The options that benches share, and those of one bench. */
import { parseArgs } from "node:util"

export interface Options {
  /** How long to measure. */
  readonly seconds: number
  /** Calls at the same time. */
  readonly calls: number
  /** Seconds over which the calls begin. */
  readonly ramp: number
  /** Prints one JSON object instead of tables. */
  readonly json: boolean
  /** Switches of this bench that were given. */
  readonly switches: ReadonlySet<string>
  /** What was given without a dash. */
  readonly words: ReadonlyArray<string>
}

export class OptionsInvalid extends Error {
  override readonly name = "OptionsInvalid"
}

const numberOf = (name: string, text: string | undefined, fallback: number, least: number): number => {
  if (text === undefined) return fallback
  const value = Number(text)
  if (text.trim() === "" || !Number.isFinite(value) || value < least)
    throw new OptionsInvalid(`--${name} must be a number of at least ${least}, not "${text}"`)
  return value
}

/** Reads `--seconds --calls --ramp --json` and the named switches. Throws OptionsInvalid for anything else. */
export const parseOptions = (
  args: ReadonlyArray<string>,
  defaults: Omit<Options, "json" | "switches" | "words">,
  switches: ReadonlyArray<string> = []
): Options => {
  const read = () => {
    try {
      return parseArgs({
        args: [...args],
        strict: true,
        allowPositionals: true,
        options: {
          seconds: { type: "string" },
          calls: { type: "string" },
          ramp: { type: "string" },
          json: { type: "boolean" },
          ...Object.fromEntries(switches.map((name) => [name, { type: "boolean" as const }]))
        }
      })
    } catch (cause) {
      throw new OptionsInvalid(cause instanceof Error ? cause.message : String(cause))
    }
  }
  const { values: given, positionals } = read()
  const values: Readonly<Record<string, string | boolean | undefined>> = given
  const text = (name: string) => values[name] as string | undefined
  return {
    seconds: numberOf("seconds", text("seconds"), defaults.seconds, 1),
    calls: Math.round(numberOf("calls", text("calls"), defaults.calls, 1)),
    ramp: numberOf("ramp", text("ramp"), defaults.ramp, 0),
    json: values.json === true,
    switches: new Set(switches.filter((name) => values[name] === true)),
    words: positionals
  }
}
