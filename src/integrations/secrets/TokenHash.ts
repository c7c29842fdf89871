/** The stored form of tokens: a token can be looked up by its hash, but cannot be read from the database. */
import { createHash } from "node:crypto"

/** SHA-256 in hexadecimal. For tokens that are random and long, not for passwords. */
export const tokenHash = (token: string): string => createHash("sha256").update(token).digest("hex")
