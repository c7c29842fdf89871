/** What an evaluation prints. */

import { textsOf } from "../../domain/messaging/rehearsal/EvalConversation.ts"
import type { Evaluated, EvaluatedStep } from "../../domain/messaging/rehearsal/Evaluate.ts"

const width = 56

const wrapped = (text: string): ReadonlyArray<string> =>
  text.split("\n").flatMap((line) => {
    const lines: Array<string> = [""]
    for (const word of line.split(" ")) {
      const last = lines[lines.length - 1]
      if (last !== "" && last.length + word.length >= width) lines.push(word)
      else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`
    }
    return lines
  })

/** Two texts beside each other. */
export const sideBySide = (left: string, right: string): ReadonlyArray<string> => {
  const [before, after] = [wrapped(left), wrapped(right)]
  return Array.from({ length: Math.max(before.length, after.length) }, (_, at) =>
    `    ${(before[at] ?? "").padEnd(width)} │ ${after[at] ?? ""}`.trimEnd()
  )
}

const stepLines = ({ step, said, tools, outcome, problems }: EvaluatedStep): ReadonlyArray<string> => [
  ...textsOf(step.contact).map((text) => `  contact: ${text}`),
  ...(step.human === undefined ? [] : [`  human: ${step.human}`]),
  ...(step.handBack === true ? ["  (handed back to the agent)"] : []),
  ...tools.map(({ name, arguments: input }) => `  tool ${name} ${input}`),
  ...(step.before === undefined
    ? said.map((text) => `  agent: ${text}`)
    : ["  before │ now:", ...sideBySide(step.before.join("\n"), said.join("\n"))]),
  ...(outcome === "answered" || (outcome === "silent" && step.contact === undefined) ? [] : [`  (${outcome})`]),
  ...problems.map((problem) => `  ✗ ${problem}`)
]

/** The lines about one conversation. One that passed and was not recorded is one line. */
export const evaluatedLines = ({ name, steps, passed }: Evaluated, all: boolean): ReadonlyArray<string> => [
  `${passed ? "✓" : "✗"} ${name}`,
  ...(passed && !all ? [] : steps.flatMap(stepLines))
]
