/** E-mail addresses. */

/** Whether the text has the form of one e-mail address, without a name or spaces around it. */
export const isEmail = (text: string): boolean =>
  /^[^\s\p{Cc}\p{Cs}@]+@[^\s\p{Cc}\p{Cs}@]+\.[^\s\p{Cc}\p{Cs}@]+$/u.test(text)
/** What is wrong with any other text, worded to follow the name of the field. */
export const noEmail = "must be an e-mail address, like asha@example.com."
/** The longest address that is stored, in characters (RFC 5321). */
export const longestEmail = 254

/** The address that this text is, without spaces around it; undefined when it is none, or too long to be stored. */
export const emailIn = (text: string): string | undefined => {
  const address = text.trim()
  return isEmail(address) && address.length <= longestEmail ? address : undefined
}
