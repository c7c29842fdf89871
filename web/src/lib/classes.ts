/** Joins class names; leaves out what is false. */
export const cx = (...names: ReadonlyArray<string | false | undefined>): string => names.filter(Boolean).join(" ")
