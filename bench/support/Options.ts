/**
 * The options of a bench: numbers with defaults, texts, switches, `--json`, and words where a bench has a use for them. Every bench accepts `--seconds`,
 * `--calls` and `--ramp`, so that one set of options runs them all; one that has no use for an option says so.
 */
import { parseArgs } from "node:util"

/** What a bench takes. */
export interface Taken<Name extends NumberName, Switch extends SwitchName = never, Text extends TextName = never>
  extends Described {
  /** With the default of each; 0 where nothing is the default. */
  readonly numbers: Readonly<Record<Name, number>>
  readonly switches?: ReadonlyArray<Switch>
  readonly texts?: ReadonlyArray<Text>
}

/** Of what is given without a dash, for `--help`: as it is written, and what it is. */
export interface Words {
  readonly shown: string
  readonly mean: string
}

/** What any bench takes. */
export interface Described {
  readonly numbers: Readonly<Partial<Record<NumberName, number>>>
  readonly switches?: ReadonlyArray<SwitchName>
  readonly texts?: ReadonlyArray<TextName>
  /** What may be given without a dash; nothing when left out. */
  readonly words?: Words
  /** What an option means on this bench, where that is not what it means on others. */
  readonly means?: Readonly<Partial<Record<NumberName | SwitchName | TextName, string>>>
}

export type Options<
  Name extends NumberName,
  Switch extends SwitchName = never,
  Text extends TextName = never
> = Readonly<Record<Name, number>> & {
  /** Prints one JSON object instead of tables. */
  readonly json: boolean
  /** Those that were given. */
  readonly switches: ReadonlySet<Switch>
  /** Those that were given. */
  readonly texts: Readonly<Partial<Record<Text, string>>>
  /** What was given without a dash. */
  readonly words: ReadonlyArray<string>
}

export class OptionsInvalid extends Error {
  override readonly name = "OptionsInvalid"
}

interface Rule {
  readonly says: string
  readonly allows: (value: number) => boolean
  /** For `--help`. */
  readonly means: string
}

const atLeast = (least: number, means: string): Rule => ({
  says: `a number of at least ${least}`,
  allows: (value) => value >= least,
  means
})

/** Every number that any bench takes. */
const rules = {
  seconds: atLeast(1, "how long to measure, after the ramp"),
  /** With a fraction the nearest whole number. */
  calls: atLeast(1, "calls at the same time"),
  ramp: atLeast(0, "seconds over which the first calls begin"),
  minutes: { says: "a number above 0", allows: (value: number) => value > 0, means: "how long to measure" },
  workers: {
    says: "a whole number above 0",
    allows: (value: number) => Number.isInteger(value) && value > 0,
    means: "processes of both roles on one port (more than one needs redis-server)"
  },
  contacts: atLeast(1, "contacts in the database"),
  messages: atLeast(1, "messages in the database, ten to a conversation"),
  orders: atLeast(1, "orders in the database"),
  passages: atLeast(1, "passages in the knowledge base"),
  rate: atLeast(1, "requests a second"),
  listeners: atLeast(0, "people who listen, each to another call"),
  generators: {
    says: "a whole number above 0",
    allows: (value: number) => Number.isInteger(value) && value > 0,
    means: "processes that share the callers"
  },
  lasts: atLeast(0, "seconds that a call lasts on average; then another one begins. 0: to the end"),
  providers: {
    says: "a port",
    allows: (value: number) => Number.isInteger(value) && value > 0 && value < 65_536,
    means: "the target's providers are here, on this port of loopback"
  }
} satisfies Record<string, Rule>
export type NumberName = keyof typeof rules

/** Every text that any bench takes: how it is written, and what it is. */
const textMeanings = {
  target: { shown: "URL", means: "measures the service there, instead of one that the bench starts" },
  "account-sid": { shown: "SID", means: "the account of the telephony provider that the target knows" },
  "auth-token": { shown: "TOKEN", means: "its secret, by which webhooks are signed" },
  number: { shown: "NUMBER", means: "the number that is called" },
  key: { shown: "KEY", means: "an API key of the target" },
  speech: { shown: "DIR", means: "callers say these WAV files, each with its words in a .txt beside it" },
  arrivals: { shown: "KIND", means: "how calls come: steady (the default), poisson or burst" },
  thresholds: { shown: "LIST", means: 'limits over the usual ones: "answer-p95=1500,dropped=0"' },
  recordings: { shown: "DIR", means: "judges the two-track recordings there, and plays nothing" },
  junit: { shown: "FILE", means: "writes the limits as JUnit test cases, too" }
} as const satisfies Record<string, { readonly shown: string; readonly means: string }>
export type TextName = keyof typeof textMeanings

/** Every switch that any bench takes. */
const switchMeanings = {
  "all-levels": "every dialogue at every level of noise (four times as long)",
  "slow-recogniser": "speech-to-text signals no activity, and its transcripts come after 1.6 s",
  fuzz: "100,000 requests that are almost right, and no calls",
  "i-own-this-target": "allows a target that is not on loopback",
  plain: "the target speaks the provider's media-stream protocol at its address, and needs no webhook",
  "with-their-data": "allows a target that has data which no bench has made",
  apart: "the sound of calls in a process of its own, beside the engine (serve --sound process)",
  stops: "the engine is stopped for 100 ms in each second, as by a collection of its heap",
  pin: "the engine alone on processor 0, everything else on the others (needs taskset)",
  search: "finds the highest number of calls that keeps the limits, from --calls on",
  deploy: "all engines are replaced every 20 s (SIGHUP) instead of one killed, and a client asks every 20 ms",
  "no-spare": "no spare engine waits, so another has to be started",
  kill: "workers are killed meanwhile, one after the other, and started again",
  silent: "who is away takes what is asked and never answers, instead of cutting connections",
  stay: "nobody hangs up; else each caller does 1 s after the first frame",
  together: "app and engine in one process; else the engine is measured by itself"
}
export type SwitchName = keyof typeof switchMeanings

/** Accepted by every bench. */
export const common = ["seconds", "calls", "ramp"] as const satisfies ReadonlyArray<NumberName>

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
export const parseOptions = <Name extends NumberName, Switch extends SwitchName = never, Text extends TextName = never>(
  args: ReadonlyArray<string>,
  { numbers, switches = [], texts = [], words }: Taken<Name, Switch, Text>,
  told: (text: string) => void = console.error
): Options<Name, Switch, Text> => {
  const names = Object.keys(numbers).filter((name): name is Name => name in numbers)
  const { values, positionals } = read(
    args,
    [...names, ...texts, ...common],
    [...switches, "json"],
    words !== undefined
  )
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
  const given = texts.flatMap((name) => {
    const text = values[name]
    return typeof text === "string" ? [[name, text] as const] : []
  })
  return {
    ...(Object.fromEntries(figures) as Record<Name, number>),
    json: values.json === true,
    switches: new Set(switches.filter((name) => values[name] === true)),
    texts: Object.fromEntries(given) as Partial<Record<Text, string>>,
    words: positionals
  }
}

/** Those of `all` whose names hold one of the words; all of them without words. Throws OptionsInvalid for a word that no name holds. */
export const chosen = <A>(
  all: ReadonlyArray<A>,
  nameOf: (one: A) => string,
  words: ReadonlyArray<string>
): ReadonlyArray<A> => {
  const unknown = words.filter((word) => !all.some((one) => nameOf(one).includes(word)))
  if (unknown.length > 0)
    throw new OptionsInvalid(`there is no "${unknown.join('", "')}" among: ${all.map(nameOf).join(", ")}`)
  return words.length === 0 ? all : all.filter((one) => words.some((word) => nameOf(one).includes(word)))
}

const numbersOf = ({ numbers }: Described): ReadonlyArray<NumberName> =>
  Object.keys(numbers).filter((name): name is NumberName => name in rules)

/** One line: what may be given to a bench, with the defaults. */
export const usageOf = (bench: string, taken: Described): string =>
  [
    bench,
    ...(taken.words === undefined ? [] : [taken.words.shown]),
    ...numbersOf(taken).map((name) => `[--${name} ${taken.numbers[name] || "N"}]`),
    ...(taken.texts ?? []).map((name) => `[--${name} ${textMeanings[name].shown}]`),
    ...(taken.switches ?? []).map((name) => `[--${name}]`)
  ].join(" ")

/** What `--help` of a bench says. */
export const helpOf = (bench: string, about: string, taken: Described): string => {
  const { words, switches = [], texts = [], means = {} } = taken
  const rows = [
    ...(words === undefined ? [] : [[words.shown, words.mean]]),
    ...numbersOf(taken).map((name) => [`--${name} N`, means[name] ?? rules[name].means]),
    ...texts.map((name) => [`--${name} ${textMeanings[name].shown}`, means[name] ?? textMeanings[name].means]),
    ...switches.map((name) => [`--${name}`, means[name] ?? switchMeanings[name]]),
    ["--json", "one JSON object on standard output instead of tables"]
  ]
  const width = Math.max(...rows.map(([shown]) => shown.length))
  const without = common.filter((name) => !(name in taken.numbers))
  return [
    `npm run bench -- ${usageOf(bench, taken)} [--json]`,
    "",
    about,
    "",
    ...rows.map(([shown, mean]) => `  ${shown.padEnd(width)}  ${mean}`),
    ...(without.length === 0 ? [] : ["", `Accepted without effect: ${without.map((name) => `--${name}`).join(", ")}`])
  ].join("\n")
}
