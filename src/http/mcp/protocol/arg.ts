/** Arguments that several tools have. Their descriptions say the bounds, because the schemas that models see cannot. */
import { z } from "zod"

export const mostRows = 50

export const text = (longest: number, description: string) => z.string().max(longest).describe(description)
export const id = (description: string) => z.string().max(80).describe(description)
export const choice = <const T extends ReadonlyArray<string>>(values: T, description: string) =>
  z.enum(values).describe(description)

/** How many rows a list gives by default, and at most. */
export const limit = z
  .int()
  .min(1)
  .max(mostRows)
  .optional()
  .describe(`How many rows, 1 to ${mostRows}; 20 by default. Ask for few: you can always get the rest.`)

export const cursor = z
  .string()
  .max(200)
  .optional()
  .describe(
    "Where to go on: the cursor in `truncated` of the answer before, unchanged. Leave it out for the first rows."
  )

/** Which columns a list gives; the id is always among them. */
export const fields = <const T extends ReadonlyArray<string>>(names: T) =>
  z
    .array(z.enum(names))
    .max(names.length)
    .optional()
    .describe("Only these columns, beside the id. Name few to get short answers; leave it out for all.")

/** The fields that have a value: REST's filters have no fields that are undefined. */
export const defined = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
