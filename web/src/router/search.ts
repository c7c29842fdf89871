/** Reads what the addresses of pages carry after their `?`. What does not fit is left out. */

/** A text that is not empty. */
export const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined

/** What was searched: a number in an address is read as one. */
export const words = (value: unknown): string | undefined => (typeof value === "number" ? String(value) : text(value))

/** The value, if it is one of these. */
export const oneOf = <Value extends string>(values: ReadonlyArray<Value>, given: unknown): Value | undefined =>
  values.find((value) => value === given)

/** A number that is not below 0. */
export const amount = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined

/** Without the fields that are undefined. */
export const defined = <A extends object>(fields: A): { [Key in keyof A]?: Exclude<A[Key], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Key in keyof A]?: Exclude<A[Key], undefined>
  }
