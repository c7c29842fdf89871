/** A typed number as the service takes it: `+` and digits. Undefined while it is none. Pure. */
export const dialable = (typed: string): string | undefined => {
  const number = typed.replace(/[\s().-]/g, "").replace(/^00/, "+")
  return /^\+[1-9]\d{6,14}$/.test(number) ? number : undefined
}
