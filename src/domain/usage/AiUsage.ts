/** The tokens of language models that an organization's text agents have used, and the report of them. Minutes of calls are counted apart. */
import { Context, Effect, Schema } from "effect"
import { summariesAgentId } from "../ai/providers/ModelTokens.ts"
import { exampleIds } from "../basics/Examples.ts"
import { traced } from "../basics/Traced.ts"
import { aiTokensOf, type Organization } from "../people/organizations/Organization.ts"
import { reportedUsage, type UsagePeriod } from "./ReportedUsage.ts"

/**
 * Stands for the agent where knowledge was made into vectors. These tokens are reported and do not count against the plan's: a token of an embedding
 * costs a fiftieth of a language model's, and the plan bounds the passages.
 */
export const knowledgeAgentId = "knowledge"

/**
 * Stands for the agent where voice messages were written down. A second counts as `tokensPerVoiceSecond`: their cost is bounded by the plan's tokens, and a second of
 * speech-to-text costs about as much as so many tokens of a large model.
 */
export const voiceNotesAgentId = "voice_notes"
export const tokensPerVoiceSecond = 100

/** What is reported beside agents. */
const others: Readonly<Record<string, string>> = {
  [knowledgeAgentId]: "Knowledge",
  [voiceNotesAgentId]: "Voice messages",
  [summariesAgentId]: "Summaries"
}

export const AiUsageGrouping = Schema.Literals(["day", "agent", "model"])
export type AiUsageGrouping = typeof AiUsageGrouping.Type

/** Sums of some requests to models. */
const Tokens = Schema.Struct({
  requests: Schema.Int,
  inputTokens: Schema.Int,
  outputTokens: Schema.Int,
  /** Input and output together. */
  tokens: Schema.Int
})
export type AiTokens = Omit<typeof Tokens.Type, "tokens">

export interface AiUsageRow extends AiTokens {
  /** A day, the id of an agent, or the name of a model. */
  readonly key: string
  /** The name of the agent; null for other groupings, and for an agent that does not exist any more. */
  readonly name: string | null
}

export type AiUsageQuery = UsagePeriod<AiUsageGrouping>

const tokens = { requests: 12, inputTokens: 18_400, outputTokens: 2_150, tokens: 20_550 }

export const AiUsageReport = Schema.Struct({
  from: Schema.String,
  to: Schema.String,
  timeZone: Schema.String,
  /** The current calendar month. */
  allowance: Schema.Struct({
    month: Schema.String,
    tokens: Schema.Int,
    used: Schema.Int,
    remaining: Schema.Int
  }),
  totals: Tokens,
  data: Schema.Array(
    Schema.Struct({
      day: Schema.optionalKey(Schema.String),
      agentId: Schema.optionalKey(Schema.String),
      agentName: Schema.optionalKey(Schema.NullOr(Schema.String)),
      /** `unknown`: requests that were interrupted, whose tokens are estimated. */
      model: Schema.optionalKey(Schema.String),
      ...Tokens.fields
    })
  )
}).annotate({
  title: "AiUsageReport",
  examples: [
    {
      from: "2026-11-01",
      to: "2026-11-24",
      timeZone: "America/New_York",
      allowance: { month: "2026-11", tokens: 10_000_000, used: 20_550, remaining: 9_979_450 },
      totals: tokens,
      data: [{ agentId: exampleIds.textAgent, agentName: "Shop assistant", ...tokens }]
    }
  ]
})

/** Port to read usage. The store writes it in the transaction that ends a turn; `ModelTokens` counts what belongs to no turn. */
export class AiUsage extends Context.Service<
  AiUsage,
  {
    /** Days in order, or agents and models with the most tokens first. */
    readonly read: (organizationId: string, query: AiUsageQuery) => Effect.Effect<ReadonlyArray<AiUsageRow>>
  }
>()("parley/domain/AiUsage") {}

const sum = (rows: ReadonlyArray<AiTokens>) => {
  const of = (field: keyof AiTokens) => rows.reduce((total, row) => total + row[field], 0)
  const [requests, inputTokens, outputTokens] = [of("requests"), of("inputTokens"), of("outputTokens")]
  return { requests, inputTokens, outputTokens, tokens: inputTokens + outputTokens }
}

const shown = (groupBy: AiUsageGrouping, { key, name, ...row }: AiUsageRow) => {
  const totals = sum([row])
  switch (groupBy) {
    case "day":
      return { day: key, ...totals }
    case "agent":
      return { agentId: key, agentName: others[key] ?? name, ...totals }
    case "model":
      return { model: key, ...totals }
  }
}

/** Needs AiUsage once; the function it gives needs nothing. Default: the current month until today, by day. */
export const makeAiUsageReport = Effect.gen(function* () {
  const usage = yield* AiUsage
  return traced("AiUsageReport")(function* (organization: Organization, query: Partial<AiUsageQuery>) {
    const { from, to, timeZone, groupBy, rows, month, ofMonth } = yield* reportedUsage(organization, query, usage.read)
    const { tokens: used } = sum(ofMonth.filter(({ key }) => key !== knowledgeAgentId))
    const allowance = aiTokensOf(organization)
    return {
      from,
      to,
      timeZone,
      allowance: { month, tokens: allowance, used, remaining: Math.max(0, allowance - used) },
      totals: sum(rows),
      data: rows.map((row) => shown(groupBy, row))
    } satisfies typeof AiUsageReport.Type
  })
})
