/** The document is not taken; the message is a sentence for people. */
export class Refused extends Error {}
