/** A key that nobody else makes. `crypto.randomUUID` would do, but browsers have it only over TLS and on this machine. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("")
