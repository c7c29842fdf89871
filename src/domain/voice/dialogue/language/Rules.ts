/** What the tables of one language hold. Every entry is a list of words or phrases with commas between, as people say them. */
export interface LanguageTables {
  /** Complete in themselves: yes, no, thank you, goodbye. */
  readonly answers: string
  /** A greeting alone: most callers go on after it. */
  readonly greetings: string
  /** First words of a half sentence ("if"), and what its other half begins with ("then"). */
  readonly conditions: string
  readonly consequences: string
  /** Said while listening; nobody wants to take over with them. */
  readonly backchannels: string
  /** Said to make the other one stop. */
  readonly interruptions: string
  /** Said while thinking. */
  readonly hesitations: string
  /** What no complete sentence ends with: conjunctions, prepositions or postpositions, articles, possessives, halves of phrases. */
  readonly openEnds: string
  /** Complete although the last word is an open end. */
  readonly closedEnds: string
  /** Words that ask, anywhere in a sentence. */
  readonly questionWords: string
  /** Last words, or endings of them, that make a sentence a question. */
  readonly questionEnds: string
  /** Finite verbs and their endings: languages that put the verb last end statements with them. */
  readonly statementEnds: string
  /** "my": a sentence that begins so and ends with what is dictated goes on. */
  readonly possessives: string
  /** "is": after what is dictated, the sentence goes on. */
  readonly copulas: string
  /** What is dictated as digits, by how many digits it has. */
  readonly phone: string
  readonly code: string
  readonly reference: string
  readonly account: string
  readonly card: string
  readonly aadhaar: string
  /** What is dictated or spelled as words. */
  readonly name: string
  readonly email: string
  /** Words of the digits 0 to 9, separated by commas; other words for the same digit after a slash. */
  readonly digits: string
  /** "double", "triple". */
  readonly repeats: string
  /** Names of the letters, where they are not single Latin letters. */
  readonly letters: string
  /** Inside an e-mail address: "at", "dot", and what may stand behind the last dot. */
  readonly at: string
  readonly dot: string
  readonly domains: string
  /** Asking for a human instead of the agent. */
  readonly humans: string
  /** Phrases with one of those words that mean somebody or something else. */
  readonly notHumans: string
}
