/** The message of anything that was thrown, which need not be an `Error`. */
export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
