/** What a failure of any kind says: what is thrown need not be an error. */
export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
