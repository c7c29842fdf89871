/** The tables of one language. Each is a comma-separated list of words or phrases as people say them. */
export interface LanguageTables {
  /** Answers that are complete in themselves: yes, no, thank you, goodbye. */
  readonly answers: string
  /** A greeting alone: most callers go on after it. */
  readonly greetings: string
  /** First words of a half sentence ("if"), and what its other half begins with ("then"). */
  readonly conditions: string
  readonly consequences: string
  /** Said while listening. The speaker does not want to take the turn. */
  readonly backchannels: string
  /** Said to make the other one stop. */
  readonly interruptions: string
  /** Said while thinking. */
  readonly hesitations: string
  /** What no complete sentence ends with: conjunctions, prepositions or postpositions, articles, possessives, halves of phrases. */
  readonly openEnds: string
  /** Phrases that are complete although their last word is an open end. */
  readonly closedEnds: string
  /** Words that ask, anywhere in a sentence. */
  readonly questionWords: string
  /** Last words, or endings of them, that make a sentence a question. */
  readonly questionEnds: string
  /** Finite verbs and their endings: languages that put the verb last end statements with them. */
  readonly statementEnds: string
  /** "my": a sentence that begins with it and ends with something to dictate ("my number") is not complete. */
  readonly possessives: string
  /** "is": after something to dictate ("my number is"), the sentence is not complete. */
  readonly copulas: string
  /** Names of things that are dictated as digits, grouped by their number of digits. */
  readonly phone: string
  readonly code: string
  readonly reference: string
  readonly account: string
  readonly card: string
  readonly aadhaar: string
  /** Names of things that are dictated or spelled as words. */
  readonly name: string
  readonly email: string
  /** Words of the digits 0 to 9, separated by commas; other words for the same digit after a slash. */
  readonly digits: string
  /** "double", "triple". */
  readonly repeats: string
  /** Names of the letters, where they are not single Latin letters. */
  readonly letters: string
  /** Words inside an e-mail address: "at", "dot", and what may follow the last dot. */
  readonly at: string
  readonly dot: string
  readonly domains: string
  /** Words that ask for a human instead of the agent. */
  readonly humans: string
  /** Phrases with one of those words that mean somebody or something else. */
  readonly notHumans: string
}
