/**
 * The language model of the dialogues: numbers its answers, and remembers for each which call asked and what the caller had
 * said. The number is the first thing the agent says, so the transcript shows which answers the caller heard.
 */
import type { ChatRequest, Message } from "../../simulators/language-model/Messages.ts"
import type { Script } from "../../simulators/language-model/Script.ts"

export interface ModelAnswer {
  readonly number: number
  readonly run: string
  /** By the clock of the call. */
  readonly atMs: number
  readonly said: string
  readonly text: string
}

const longReplies: Readonly<Record<string, string>> = {
  en: "that is noted. We are open from nine to six, Monday to Saturday, and on Sundays we open at ten.",
  hi: "ठीक है। हम सोमवार से शनिवार तक नौ से छह बजे तक खुले हैं, और रविवार को दस बजे खुलते हैं।"
}
const shortReplies: Readonly<Record<string, string>> = { en: "that is noted.", hi: "ठीक है।" }

export interface Run {
  /** Unique; one call. */
  readonly name: string
  readonly language: string
  /** Whether somebody speaks into the answers. */
  readonly long: boolean
}

/** The agent of a run carries its name in its prompt, as all that the model gets. */
export const promptOf = ({ name }: Run): string => `You are the receptionist of Maple Books. Run: ${name}.`

const runName = (request: ChatRequest): string | undefined =>
  /Run: (\S+)\./.exec(request.messages.find(({ role }) => role === "system")?.content ?? "")?.[1]

/** What the caller said since the agent's last words. */
const saidIn = (messages: ReadonlyArray<Message>): string =>
  messages
    .slice(messages.findLastIndex(({ role }) => role === "assistant") + 1)
    .flatMap((message) => (message.role === "user" ? [message.content] : []))
    .join(" ")

/** `nowOf` reads the clock of a run's call. */
export const makeModel = (runs: ReadonlyArray<Run>, nowOf: (run: Run) => number) => {
  const answers: Array<ModelAnswer> = []
  const known = new Map(runs.map((run) => [run.name, run]))
  const compose = (request: ChatRequest): string => {
    const run = known.get(runName(request) ?? "")
    if (run === undefined) return "Who is calling?"
    const number = answers.length + 1
    const text = `${number}, ${(run.long ? longReplies : shortReplies)[run.language.slice(0, 2)]}`
    answers.push({ number, run: run.name, atMs: nowOf(run), said: saidIn(request.messages), text })
    return text
  }
  const script: Script = [{ when: /(?:)/, compose }]
  return { script, answersOf: (run: string) => answers.filter((answer) => answer.run === run) }
}

/** Whether the agent's words begin with the number, or hold it: a paused answer is stored in pieces. */
export const wasHeard = (number: number, agentWords: ReadonlyArray<string>): boolean =>
  agentWords.some((text) => new RegExp(`(?<!\\d)${number}(?!\\d)`).test(text))
