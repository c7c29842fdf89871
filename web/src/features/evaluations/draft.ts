/** The conversations of an evaluation as a form shows them, and back. What the form does not show is kept. Pure; `test/web/bots.test.ts`. */
import type { Evaluation } from "@parley/client"
import { newKey } from "../../lib/newKey.ts"

export type Written = Evaluation["conversations"][number]
type WrittenTurn = Written["turns"][number]
type Expected = NonNullable<WrittenTurn["expect"]>

export type Act = "contact" | "human" | "handBack" | "resolve"
export type Outcome = "" | NonNullable<Expected["outcome"]>

export interface TurnDraft {
  /** Tells the rows of the form apart. */
  readonly key: string
  readonly act: Act
  /** Of a contact: a line is a message. */
  readonly text: string
  /** What the answer says, a claim a line. */
  readonly says: string
  readonly outcome: Outcome
  /** What else is expected: the form does not show it. */
  readonly rest: Expected
}

export interface ConversationDraft {
  readonly key: string
  readonly name: string
  readonly turns: ReadonlyArray<TurnDraft>
  /** What the form does not show. */
  readonly rest: Omit<Written, "name" | "turns">
}

export const blankTurn = (): TurnDraft => ({ key: newKey(), act: "contact", text: "", says: "", outcome: "", rest: {} })
export const blankConversation = (): ConversationDraft => ({ key: newKey(), name: "", turns: [blankTurn()], rest: {} })

const textOf = (some: string | ReadonlyArray<string> | undefined): string =>
  some === undefined ? "" : typeof some === "string" ? some : some.join("\n")

const linesOf = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

const turnOf = ({ contact, human, handBack, expect = {} }: WrittenTurn): TurnDraft => {
  const { says, outcome, ...rest } = expect
  return {
    key: newKey(),
    act: contact !== undefined ? "contact" : human !== undefined ? "human" : handBack === true ? "handBack" : "resolve",
    text: textOf(contact ?? human),
    says: textOf(says),
    outcome: outcome ?? "",
    rest
  }
}

export const draftsOf = (conversations: ReadonlyArray<Written>): ReadonlyArray<ConversationDraft> =>
  conversations.map(({ name, turns, ...rest }) => ({ key: newKey(), name, turns: turns.map(turnOf), rest }))

const actOf = ({ act, text }: TurnDraft): WrittenTurn => {
  switch (act) {
    case "contact": {
      const [first = "", ...others] = linesOf(text)
      return { contact: others.length === 0 ? first : [first, ...others] }
    }
    case "human":
      return { human: text.trim() }
    case "handBack":
      return { handBack: true }
    case "resolve":
      return { resolve: true }
  }
}

const writtenTurn = (turn: TurnDraft): WrittenTurn => {
  const claims = linesOf(turn.says)
  const expect = {
    ...turn.rest,
    ...(claims.length === 0 ? {} : { says: claims }),
    ...(turn.outcome === "" ? {} : { outcome: turn.outcome })
  }
  return { ...actOf(turn), ...(Object.keys(expect).length === 0 ? {} : { expect }) }
}

export const writtenOf = ({ name, turns, rest }: ConversationDraft): Written => ({
  ...rest,
  name: name.trim(),
  turns: turns.map(writtenTurn)
})

const speaks = ({ act }: TurnDraft) => act === "contact" || act === "human"

export const isComplete = ({ name, turns }: ConversationDraft): boolean =>
  name.trim() !== "" && turns.length > 0 && turns.every((turn) => !speaks(turn) || turn.text.trim() !== "")
