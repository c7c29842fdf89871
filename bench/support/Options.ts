/**
 * The options of a bench: numbers with defaults, switches, `--json`, and words where a bench has a use for them. Every bench accepts `--seconds`,
 * `--calls` and `--ramp`, so that one set of options runs them all; one that has no use for an option says so.
 */
import { parseArgs } from "node:util"

/** What a bench takes. */
export interface Taken<Name extends NumberName, Switch extends string> {
  /** With the default of each. */
  readonly numbers: Readonly<Record<Name, number>>
  readonly switches?: ReadonlyArray<Switch>
  /** Whether something may be given without a dash. */
  readonly words?: boolean
}

export type Options<Name extends NumberName, Switch extends string = never> = Readonly<Record<Name, number>> & {
  /** Prints one JSON object instead of tables. */
  readonly json: boolean
  /** Those that were given. */
  readonly switches: ReadonlySet<Switch>
  /** What was given without a dash. */
  readonly words: ReadonlyArray<string>
}

export class OptionsInvalid extends Error {
  override readonly name = "OptionsInvalid"
}

interface Rule {
  readonly says: string
  readonly allows: (value: number) => boolean
}

const atLeast = (least: number): Rule => ({ says: `a number of at least ${least}`, allows: (value) => value >= least })

/** Every number that any bench takes. */
const rules = {
  /** How long to measure. */
  seconds: atLeast(1),
  /** Calls at the same time; with a fraction the nearest whole number. */
  calls: atLeast(1),
  /** Seconds over which the calls begin. */
  ramp: atLeast(0),
  /** How long to measure, where that is long. */
  minutes: { says: "a number above 0", allows: (value: number) => value > 0 },
  /** Processes on one port. */
  workers: { says: "a whole number above 0", allows: (value: number) => Number.isInteger(value) && value > 0 },
  /** What is in the database. */
  contacts: atLeast(1),
  messages: atLeast(1),
  /** Requests a second. */
  rate: atLeast(1)
} satisfies Record<string, Rule>
export type NumberName = keyof typeof rules

/** Accepted by every bench. */
const common = ["seconds", "calls", "ramp"] as const satisfies ReadonlyArray<NumberName>

const numberOf = (name: NumberName, text: string): number => {
  const { says, allows }: Rule = rules[name]
  const value = Number(text)
  if (text.trim() === "" || !Number.isFinite(value) || !allows(value))
    throw new OptionsInvalid(`--${name} must be ${says}, not "${text}"`)
  return name === "calls" ? Math.round(value) : value
}

/** What was given, by name, as text. Throws OptionsInvalid for what is not taken. */
const read = (
  args: ReadonlyArray<string>,
  names: ReadonlyArray<string>,
  flags: ReadonlyArray<string>,
  words: boolean
) => {
  const ofType = <Type extends "string" | "boolean">(all: ReadonlyArray<string>, type: Type) =>
    Object.fromEntries(all.map((name) => [name, { type }]))
  try {
    return parseArgs({
      args: [...args],
      strict: true,
      allowPositionals: words,
      options: { ...ofType(names, "string"), ...ofType(flags, "boolean") }
    })
  } catch (cause) {
    throw new OptionsInvalid(cause instanceof Error ? cause.message : String(cause))
  }
}

/**
 * Reads `--json`, what every bench accepts, and what this one takes. Throws OptionsInvalid for anything else. `told` hears of each option that was
 * given and has no effect; standard error when left out.
 */
export const parseOptions = <Name extends NumberName, Switch extends string = never>(
  args: ReadonlyArray<string>,
  { numbers, switches = [], words = false }: Taken<Name, Switch>,
  told: (text: string) => void = console.error
): Options<Name, Switch> => {
  const names = Object.keys(numbers).filter((name): name is Name => name in numbers)
  const { values, positionals } = read(args, [...names, ...common], [...switches, "json"], words)
  for (const name of common) {
    const text = values[name]
    if (name in numbers || typeof text !== "string") continue
    numberOf(name, text)
    told(`--${name} has no effect on this bench`)
  }
  const figures = names.map((name) => {
    const text = values[name]
    return [name, typeof text === "string" ? numberOf(name, text) : numbers[name]] as const
  })
  return {
    ...(Object.fromEntries(figures) as Record<Name, number>),
    json: values.json === true,
    switches: new Set(switches.filter((name) => values[name] === true)),
    words: positionals
  }
}
