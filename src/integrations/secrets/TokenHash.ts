/** Tokens as they are stored: whoever brings one is found by it, and nobody can read it out of the database. */
import { createHash } from "node:crypto"

/** SHA-256 in hexadecimal. For tokens that are random and long, not for passwords. */
export const tokenHash = (token: string): string => createHash("sha256").update(token).digest("hex")
