/** The report of a call, as a model writes it that does as it is told: the tool `report_call`, its arguments made from what is in the transcript. */
import type { ChatRequest } from "./Messages.ts"
import { type Answer, lastUserText } from "./Script.ts"

const toolName = "report_call"

interface Schema {
  readonly type?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly properties?: Readonly<Record<string, Schema>>
}

/** A value that fits the schema: a number of the transcript, a choice that it names, or else what the caller said last. */
const valueOf = (schema: Schema, transcript: string): unknown => {
  if (schema.enum !== undefined)
    return (
      schema.enum.find((choice) => transcript.toLowerCase().includes(String(choice).toLowerCase())) ?? schema.enum[0]
    )
  switch (schema.type) {
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, property]) => [name, valueOf(property, transcript)])
      )
    case "number":
    case "integer":
      return Number(/\d+/.exec(transcript)?.[0] ?? 0)
    case "boolean":
      return true
    case "array":
      return []
    default:
      return /\d{2,}/.exec(transcript)?.[0] ?? lastOf(transcript)
  }
}

const lastOf = (transcript: string): string => /Caller: (.*)(?![\s\S]*Caller: )/.exec(transcript)?.[1] ?? "nothing"

/** The report, when the request asks for one; otherwise `undefined`. */
export const reportOf = (request: ChatRequest): Answer | undefined => {
  const [tool, ...others] = request.tools ?? []
  if (tool?.function.name !== toolName || others.length > 0) return undefined
  const transcript = lastUserText(request.messages)
  const { fields } = (tool.function.parameters as Schema).properties ?? {}
  const report = {
    summary: `The caller said: ${lastOf(transcript)}`,
    outcome: /a colleague|human/i.test(transcript) ? "handed_over" : "resolved",
    reason: `The caller asked: ${/Caller: (.*)/.exec(transcript)?.[1] ?? "nothing"}`,
    ...(fields === undefined ? {} : { fields: valueOf(fields, transcript) })
  }
  return { _tag: "Call", name: toolName, arguments: JSON.stringify(report) }
}
