/** A text without marks and case, for searches: `Zoë` is found by `zoe`. */
export const plain = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
