/** Reads fields of contents whose shape depends on their type, and which partly come from other people's programs. */

export type Fields = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined
export const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined
export const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {})
export const listOf = (value: unknown): ReadonlyArray<Fields> => (Array.isArray(value) ? value.filter(isRecord) : [])
