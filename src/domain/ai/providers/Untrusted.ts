/**
 * Makes text that others wrote (contacts, callers, answers of tools, documents) unable to pass for something else. A model tells who speaks by the roles of a
 * chat, which are tokens between the texts; a text that spells such a token, or a line of a transcript, could pretend to be another role. Pure.
 */

/** Tokens with which models mark roles: `<|im_start|>`, `<|eot_id|>`, `<start_of_turn>`, `[INST]`, `<<SYS>>`, `</s>`. */
const roleTokens = /<\|[^|<>\n]{1,40}\|>|<\/?(?:start|end)_of_turn>|\[\/?INST\]|<<\/?SYS>>|<\/?s>/gi

/** The text without tokens of roles: each is replaced by a mark that says that it was there. */
export const withoutRoles = (text: string): string => text.replace(roleTokens, "[…]")

/** The text as one line of a transcript: a new line in it cannot begin another speaker's. */
export const asLine = (text: string): string => withoutRoles(text).replace(/\s*[\r\n\u2028\u2029]+\s*/g, " / ")
