/** How a stored secret is shown: only its last characters, which tell it from other secrets. */

const cover = "********"

/** `********` and the last 4 characters; for a secret under 8 characters only `********`. */
export const maskSecret = (secret: string): string => (secret.length < 8 ? cover : cover + secret.slice(-4))

/** Whether a value is what `maskSecret` shows, sent back unchanged. */
export const isMasked = (value: string): boolean => value.startsWith(cover)
