/** Addresses of e-mail. */

/** Whether it looks like an address of the Internet, with nothing around it. */
export const isEmail = (text: string): boolean =>
  /^[^\s\p{Cc}\p{Cs}@]+@[^\s\p{Cc}\p{Cs}@]+\.[^\s\p{Cc}\p{Cs}@]+$/u.test(text)
/** What is wrong with another text, to be read behind the name of its field. */
export const noEmail = "must be an e-mail address, like asha@example.com."
