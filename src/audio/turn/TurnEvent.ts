/** What `Turn` reports about a frame or a transcript. */
export const TurnEvent = {
  None: 0,
  /** The caller began to speak. */
  SpeechStarted: 1,
  /** The caller speaks over the agent, for too long to be listening: fall silent now, and keep what is left to say. */
  AgentPaused: 2,
  /** The caller interrupted: what was left to say is dropped. */
  Interrupted: 3,
  /** It was a noise, or nothing that asks for an answer: say the rest, as loud as before. */
  AgentResumed: 4,
  /** The answer being heard was to half a turn: the other half has only now become text. The answer is dropped. */
  Superseded: 5,
  /** The caller paused, or has spoken long without a transcribed word: speech-to-text is to be asked for what was said. */
  SpeechPaused: 6,
  /** Words said over the agent that do not interrupt it: `takeOverheard` has them. */
  Overheard: 7,
  /** The turn will be over soon, unless the caller goes on: `text` has it so far. */
  TurnLikely: 8,
  /** The turn is over: `takeText` has it. */
  TurnEnded: 9,
  /** Something was heard but no transcript ever came: nothing was said. */
  TurnLost: 10,
  /** A voice over the agent, which may be a listening noise: speak on more softly. */
  AgentSoftened: 11
} as const
export type TurnEvent = (typeof TurnEvent)[keyof typeof TurnEvent]
