/**
 * The cost of a call: its billed minutes, the providers' prices, and the format of money. Pure. Money is integer micro-dollars inside the service
 * (1 USD = 1,000,000) and a decimal string outside.
 */
import { Schema } from "effect"
import type { VoiceFamily } from "../ai/providers/Speech.ts"
import { exampleOf } from "../basics/Examples.ts"
import { microsPerUsd } from "../people/organizations/VoiceTerms.ts"

/** Decimal USD with two to six places: 120000 → `0.12`, 34900 → `0.0349`. */
export const usd = (micros: number): string => {
  const digits = String(Math.abs(micros)).padStart(7, "0")
  const places = digits.slice(-6).replace(/0{1,4}$/, "")
  return `${micros < 0 ? "-" : ""}${digits.slice(0, -6)}.${places}`
}

/** The micro-dollars of a decimal such as `0.12`; `undefined` for anything else, including negative amounts and more than six places. */
export const parseUsd = (text: string): number | undefined =>
  /^\d{1,4}(\.\d{1,6})?$/.test(text) ? Math.round(Number(text) * microsPerUsd) : undefined

/**
 * The providers' prices in micro-dollars. Those of speech-to-text, language model, Indic and English speech are the specification's constants. That
 * of premium speech is our estimate (about 1,500 characters a call at 0.06 USD per 1,000).
 */
const providerPrices = {
  speechToTextPerMinute: 5_500,
  languageModelPerCall: 400,
  textToSpeechPerCall: { indic: 18_000, english: 30_000, premium: 90_000 }
}

/** Whole seconds: a second counts once it is complete. */
export const completedSeconds = (seconds: number): number => Math.max(0, Math.floor(seconds))

/** The billed minutes of one call: each started minute counts. */
export const billedMinutes = (seconds: number): number => Math.ceil(completedSeconds(seconds) / 60)

export interface ProviderCost {
  readonly speechToTextMicros: number
  readonly languageModelMicros: number
  readonly textToSpeechMicros: number
}

/** The providers' cost of one call. Speech-to-text is charged by the second, rounded to the nearest micro-dollar. */
export const providerCost = (seconds: number, family: VoiceFamily): ProviderCost => ({
  speechToTextMicros: Math.round((completedSeconds(seconds) * providerPrices.speechToTextPerMinute) / 60),
  languageModelMicros: providerPrices.languageModelPerCall,
  textToSpeechMicros: providerPrices.textToSpeechPerCall[family]
})

/** The charge for one or several calls. `overageMinutes` are the minutes beyond the allowance. */
export interface Charge extends ProviderCost {
  readonly calls: number
  readonly seconds: number
  readonly minutes: number
  readonly overageMinutes: number
  readonly priceMicros: number
}

export const noCharge: Charge = {
  calls: 0,
  seconds: 0,
  minutes: 0,
  overageMinutes: 0,
  priceMicros: 0,
  speechToTextMicros: 0,
  languageModelMicros: 0,
  textToSpeechMicros: 0
}

export const addCharges = (a: Charge, b: Charge): Charge => ({
  calls: a.calls + b.calls,
  seconds: a.seconds + b.seconds,
  minutes: a.minutes + b.minutes,
  overageMinutes: a.overageMinutes + b.overageMinutes,
  priceMicros: a.priceMicros + b.priceMicros,
  speechToTextMicros: a.speechToTextMicros + b.speechToTextMicros,
  languageModelMicros: a.languageModelMicros + b.languageModelMicros,
  textToSpeechMicros: a.textToSpeechMicros + b.textToSpeechMicros
})

/** The sum of all providers' costs. */
export const providerMicros = (charge: ProviderCost): number =>
  charge.speechToTextMicros + charge.languageModelMicros + charge.textToSpeechMicros

/** The share of `revenueMicros` that remains after `costMicros`, in percent with one decimal place; null without revenue. */
export const marginPercent = (revenueMicros: number, costMicros: number): number | null =>
  revenueMicros === 0 ? null : Math.round(((revenueMicros - costMicros) / revenueMicros) * 1_000) / 10

/** A charge as the interface shows it. */
export const Usage = Schema.Struct({
  /** Calls that lasted a second or longer. */
  calls: Schema.Int,
  durationSeconds: Schema.Int,
  /** The billed minutes. */
  minutes: Schema.Int,
  includedMinutes: Schema.Int,
  overageMinutes: Schema.Int,
  /** The price of the overage, USD. */
  price: Schema.String,
  /** The providers' costs, USD. */
  providerCost: Schema.Struct({
    speechToText: Schema.String,
    languageModel: Schema.String,
    textToSpeech: Schema.String,
    total: Schema.String
  })
}).annotate({
  title: "Usage",
  examples: [
    {
      calls: 12,
      durationSeconds: 1_830,
      minutes: 36,
      includedMinutes: 36,
      overageMinutes: 0,
      price: "0.000000",
      providerCost: { speechToText: "0.131000", languageModel: "0.020400", textToSpeech: "0.264000", total: "0.415400" }
    }
  ]
})
export type Usage = typeof Usage.Type

export const usageOf = (charge: Charge): Usage => ({
  calls: charge.calls,
  durationSeconds: charge.seconds,
  minutes: charge.minutes,
  includedMinutes: charge.minutes - charge.overageMinutes,
  overageMinutes: charge.overageMinutes,
  price: usd(charge.priceMicros),
  providerCost: {
    speechToText: usd(charge.speechToTextMicros),
    languageModel: usd(charge.languageModelMicros),
    textToSpeech: usd(charge.textToSpeechMicros),
    total: usd(providerMicros(charge))
  }
})

const { calls: _, ...ofOneCall } = Usage.fields
const { calls: __, ...costOfOneCall } = exampleOf(Usage)
/** The usage and cost of one call. */
export const CallCost = Schema.Struct(ofOneCall).annotate({
  title: "CallCost",
  examples: [{ ...costOfOneCall, durationSeconds: 72, minutes: 2, includedMinutes: 2 }]
})
